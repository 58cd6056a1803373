// The pages of one's own settings and of the organization, and a search over all of them.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { addressOf, go } from "../../address.ts";
import { keyed, now } from "../../live.ts";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { closeLayer, layers } from "../../ui/layers.ts";
import { lazy } from "../../ui/lazy.tsx";
import { SearchField } from "../../ui/form/search-field.tsx";
import type { View } from "../../views.ts";
import { say, type Word } from "../../words/words.ts";
import { BackButton } from "../frame/back.tsx";
import { Strip } from "../frame/strip.tsx";
import { ORGANIZATION_PARTS } from "../organization/parts.tsx";
import { GRID, WAYS } from "./notifications.ts";
import { PARTS, partsFor, type SettingsPart } from "./pages.tsx";
import { Rows } from "./row-view.tsx";
import { sectionsFor } from "./rows.ts";
import { ALL_SECTIONS } from "./table.ts";

type Name = "settings" | "organization";

interface Group {
  page: Name;
  words: Word;
  parts: readonly SettingsPart[];
  /** The page that is shown if the address names none. */
  first: string;
}

const GROUPS: readonly Group[] = [
  { page: "settings", words: "settings", parts: PARTS, first: "preferences" },
  { page: "organization", words: "organization", parts: ORGANIZATION_PARTS, first: "profile" },
];
const [OWN, OF_ALL] = GROUPS as [Group, Group];

const FoundRows = lazy(async () => (await import("../organization/rows/found-view.tsx")).FoundRows);

const pageAt = (page: Name, name: string): View => ({ kind: "page", page, path: [name] });

interface Addressed {
  /** A page of the user's settings or of the organization. */
  page: string;
  path: readonly string[];
}

export function SettingsPage({ page, path }: Addressed) {
  return <Pages group={page === OF_ALL.page ? OF_ALL : OWN} path={path} />;
}

function Pages({ group, path: [name, at] }: { group: Group; path: readonly string[] }) {
  keyed(`user:${now().people.me}`);
  const search = useSignal("");
  const parts = seenOf(group);
  const isNamed = (part: SettingsPart) => [part.name, ...(part.also ?? [])].includes(name ?? "");
  const shown = parts.find(isNamed) ?? firstOf(group);
  useEffect(() => {
    const row = at === undefined ? null : document.getElementById(`setting-${at}`);
    row?.focus();
    row?.scrollIntoView({ block: "center" });
  }, [at]);
  useEffect(() => closeDialogs, [group, shown]);
  const isSearching = search.value.trim() !== "";
  const title = say(isSearching ? "settings-found" : shown.words);
  return (
    <>
      <div>
        <header class="bar">
          <BackButton isTop />
          <div class="bar-main">
            <h1>{say(group.words)}</h1>
          </div>
          <div class="bar-acts">
            <IconButton icon="x" label={say("close")} onClick={() => go({ kind: "home" })} />
          </div>
        </header>
        <Strip />
      </div>
      <div class="settings-page">
        <SettingsNav here={group} shown={shown.name} search={search} />
        <div
          class="scroll settings-body"
          tabIndex={0}
          role="region"
          aria-label={title}
          key={`${group.page} ${shown.name}`}
        >
          <div class="in">
            <h2>{title}</h2>
            {isSearching ? (
              <Found search={search} />
            ) : (
              <>
                <p class="settings-intro">{say(shown.about)}</p>
                <shown.Body at={at} />
              </>
            )}
          </div>
        </div>
      </div>
    </>
  );
}

/** Dialogs with an address of their own, which stay open when a page closes. */
const WITH_ADDRESS = ["profile", "invite", "keyboard-shortcuts", "about"];

/** Closes a page's dialogs, except those with an address of their own. */
function closeDialogs(): void {
  for (const { id } of layers.peek()) if (!WITH_ADDRESS.includes(id)) closeLayer(id);
}

const seenOf = ({ parts }: Group) => parts.filter(({ sees }) => sees?.() ?? true);
const firstOf = ({ parts, first }: Group) => parts.find(({ name }) => name === first)!;

function Found({ search }: { search: Signal<string> }) {
  const sections = sectionsFor(ALL_SECTIONS, search.value, say);
  const parts = GROUPS.flatMap((group) =>
    partsFor(seenOf(group), search.value).map((part) => ({ page: group.page, part })),
  );
  const isListed = parts.some(({ part }) => part.name === "notifications");
  if (isInGrid(search.value) && !isListed) {
    parts.unshift({ page: "settings", part: PARTS.find((one) => one.name === "notifications")! });
  }
  const isElse = sections.length > 0 || parts.length > 0;
  return (
    <>
      <ul class="row-list">
        {parts.map(({ page, part }) => (
          <li key={`${page} ${part.name}`}>
            <PartLink page={page} part={part} search={search} />
          </li>
        ))}
      </ul>
      <Rows sections={sections} />
      <FoundRows search={search.value} isElse={isElse} />
    </>
  );
}

/** The table of notifications is found by what happens and by the way. */
function isInGrid(search: string): boolean {
  const all = [...GRID, ...WAYS].map(({ words }) => say(words).toLowerCase());
  return search
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => all.some((said) => said.includes(word)));
}

interface Shown {
  here: Group;
  shown: string;
  search: Signal<string>;
}

function SettingsNav({ here, shown, search }: Shown) {
  keyed("realm:name");
  const { fields } = now().organization;
  const nameOf = (group: Group) =>
    group === OWN ? say(group.words) : String(fields["realm_name"] ?? "");
  return (
    <nav class="settings-nav" aria-label={say("settings")}>
      <SearchField words={search} label={say("settings-search")} />
      <Jump here={here} shown={shown} search={search} nameOf={nameOf} />
      {GROUPS.map((group) => {
        const id = `settings-of-${group.page}`;
        return (
          <div key={group.page} class="settings-group">
            <p id={id} class={group === OWN ? "vh" : ""}>
              <bdi>{nameOf(group)}</bdi>
            </p>
            <ul class="row-list" aria-labelledby={id}>
              {seenOf(group).map((part) => (
                <li key={part.name}>
                  <PartLink
                    page={group.page}
                    part={part}
                    search={search}
                    isShown={group === here && part.name === shown}
                  />
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}

/** A menu of pages on narrow screens. */
function Jump({ here, shown, search, nameOf }: Shown & { nameOf: (group: Group) => string }) {
  return (
    <label class="field settings-jump">
      <span class="vh">{say("settings-page")}</span>
      <select
        value={`${here.page} ${shown}`}
        onChange={({ currentTarget }) => {
          const [page, name] = currentTarget.value.split(" ") as [Name, string];
          search.value = "";
          go(pageAt(page, name));
        }}
      >
        {GROUPS.map((group) => (
          <optgroup key={group.page} label={nameOf(group)}>
            {seenOf(group).map((part) => (
              <option key={part.name} value={`${group.page} ${part.name}`}>
                {say(part.words)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

interface Linked {
  page: Name;
  part: SettingsPart;
  search: Signal<string>;
  isShown?: boolean;
}

function PartLink({ page, part, search, isShown = false }: Linked) {
  const link = useRef<HTMLAnchorElement>(null);
  // Scrolls to the current page if the list is longer than the sidebar.
  useEffect(() => {
    if (isShown) link.current?.scrollIntoView({ block: "nearest" });
  }, [isShown]);
  return (
    <a
      ref={link}
      class="rail-row"
      href={addressOf(pageAt(page, part.name))}
      aria-current={isShown ? "page" : undefined}
      onClick={() => (search.value = "")}
    >
      <Icon name={part.icon} size={18} />
      <span class="t">{say(part.words)}</span>
    </a>
  );
}
