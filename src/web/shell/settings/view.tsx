// The layout of personal and organization settings, with a search over all pages.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { addressOf, go } from "../../store/address.ts";
import { subscribe, getState } from "../../store/store.ts";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { closeLayer } from "../../ui/layers.ts";
import { layers } from "../../ui/layer-state.ts";
import { BlankRows } from "../../ui/loading/blank.tsx";
import { lazy } from "../../ui/loading/lazy.tsx";
import { SearchField } from "../../ui/form/search-field.tsx";
import type { View } from "../../views.ts";
import { findOrThrow } from "../../content/find-or-throw.ts";
import { t, type TextKey } from "../../words/words.ts";
import { SidebarButton } from "../../features/page/sidebar-button.tsx";
import { ConnectionBanner } from "../../features/page/connection-banner.tsx";
import { ORGANIZATION_PAGES } from "../../features/organization/pages.tsx";
import { GRID, NOTIFICATION_METHODS } from "../../features/settings/notifications.ts";
import { SETTINGS_PAGES, pagesMatching } from "./pages.tsx";
import type { SettingsPageEntry } from "../../features/settings/page.ts";
import { Rows } from "../../features/settings/row-view.tsx";
import { sectionsFor } from "../../features/settings/rows.ts";
import { ALL_SECTIONS } from "../../features/settings/table.ts";

type SettingsPageName = "settings" | "organization";

interface SettingsGroup {
  page: SettingsPageName;
  textKey: TextKey;
  entries: readonly SettingsPageEntry[];
  /** The page that is shown if the address names none. */
  first: string;
}

const OWN_GROUP: SettingsGroup = {
  page: "settings",
  textKey: "settings",
  entries: SETTINGS_PAGES,
  first: "preferences",
};
const ORGANIZATION_GROUP: SettingsGroup = {
  page: "organization",
  textKey: "organization",
  entries: ORGANIZATION_PAGES,
  first: "profile",
};
const GROUPS: readonly SettingsGroup[] = [OWN_GROUP, ORGANIZATION_GROUP];

const SearchResults = lazy(
  async () =>
    (await import("../../features/organization/rows/search-results-view.tsx")).SearchResults,
  BlankRows,
);

const pageAt = (page: SettingsPageName, name: string): View => ({
  kind: "page",
  page,
  path: [name],
});

interface SettingsPageProps {
  /** A page of the user's settings or of the organization. */
  page: string;
  path: readonly string[];
}

export function SettingsPage({ page, path }: SettingsPageProps) {
  return (
    <Pages group={page === ORGANIZATION_GROUP.page ? ORGANIZATION_GROUP : OWN_GROUP} path={path} />
  );
}

function Pages({ group, path: [name, anchor] }: { group: SettingsGroup; path: readonly string[] }) {
  subscribe(`user:${getState().people.me}`);
  const search = useSignal("");
  const entries = seenOf(group);
  const isNamed = (entry: SettingsPageEntry) =>
    [entry.name, ...(entry.also ?? [])].includes(name ?? "");
  const current = entries.find(isNamed) ?? firstOf(group);
  useEffect(() => {
    const row = anchor === undefined ? null : document.getElementById(`setting-${anchor}`);
    row?.focus();
    row?.scrollIntoView({ block: "center" });
  }, [anchor]);
  // At once: a layer that opens before the next frame belongs to the new page.
  useLayoutEffect(() => closeDialogs, [group, current]);
  const isSearching = search.value.trim() !== "";
  const title = t(isSearching ? "settings-found" : current.textKey);
  return (
    <>
      <div>
        <header class="bar">
          <SidebarButton isTop />
          <div class="bar-main">
            <h1>{t(group.textKey)}</h1>
          </div>
          <div class="bar-acts">
            <IconButton icon="x" label={t("close")} onClick={() => go({ kind: "home" })} />
          </div>
        </header>
        <ConnectionBanner />
      </div>
      <div class="pages">
        <SettingsNav group={group} current={current.name} search={search} />
        <div
          class="scroll pages-body settings-body"
          tabIndex={0}
          role="region"
          aria-label={title}
          key={`${group.page} ${current.name}`}
        >
          <div class="in">
            <h2>{title}</h2>
            {isSearching ? (
              <SettingsSearchResults search={search} />
            ) : (
              <>
                <p class="settings-intro">{t(current.about)}</p>
                <current.Body anchor={anchor} />
              </>
            )}
          </div>
        </div>
      </div>
    </>
  );
}

/** Dialogs with an address of their own, which stay open when a page closes. */
const PAGES_WITH_ADDRESS = ["profile", "invite", "keyboard-shortcuts", "about"];

/** Closes a page's dialogs, except those with an address of their own. */
function closeDialogs(): void {
  for (const { id } of layers.peek()) if (!PAGES_WITH_ADDRESS.includes(id)) closeLayer(id);
}

const seenOf = ({ entries }: SettingsGroup) =>
  entries.filter(({ isVisible: canSee }) => canSee?.() ?? true);
const firstOf = ({ entries, first }: SettingsGroup) =>
  findOrThrow(entries, ({ name }) => name === first);

function SettingsSearchResults({ search }: { search: Signal<string> }) {
  const sections = sectionsFor(ALL_SECTIONS, search.value, t);
  const entries = GROUPS.flatMap((group) =>
    pagesMatching(seenOf(group), search.value).map((entry) => ({ page: group.page, part: entry })),
  );
  const isListed = entries.some(({ part }) => part.name === "notifications");
  if (isInGrid(search.value) && !isListed) {
    const entry = findOrThrow(
      SETTINGS_PAGES,
      (settingsPart) => settingsPart.name === "notifications",
    );
    entries.unshift({ page: "settings", part: entry });
  }
  const hasOtherResults = sections.length > 0 || entries.length > 0;
  return (
    <>
      <ul class="row-list">
        {entries.map(({ page, part }) => (
          <li key={`${page} ${part.name}`}>
            <PartLink page={page} entry={part} search={search} />
          </li>
        ))}
      </ul>
      <Rows sections={sections} />
      <SearchResults search={search.value} hasOtherResults={hasOtherResults} />
    </>
  );
}

/** Notification settings are found by trigger and kind. */
function isInGrid(search: string): boolean {
  const all = [...GRID, ...NOTIFICATION_METHODS].map(({ textKey }) => t(textKey).toLowerCase());
  return search
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => all.some((text) => text.includes(word)));
}

interface SettingsNavProps {
  group: SettingsGroup;
  current: string;
  search: Signal<string>;
}

function SettingsNav({ group: here, current, search }: SettingsNavProps) {
  subscribe("realm:name");
  const { fields } = getState().organization;
  const nameOf = (group: SettingsGroup) =>
    group === OWN_GROUP ? t(group.textKey) : String(fields["realm_name"] ?? "");
  return (
    <nav class="pages-nav settings-nav" aria-label={t("settings")}>
      <SearchField text={search} label={t("settings-search")} />
      <Jump group={here} current={current} search={search} nameOf={nameOf} />
      {GROUPS.map((group) => {
        const id = `settings-of-${group.page}`;
        return (
          <div key={group.page} class="settings-group">
            <p id={id} class={group === OWN_GROUP ? "vh" : ""}>
              <bdi>{nameOf(group)}</bdi>
            </p>
            <ul class="row-list" aria-labelledby={id}>
              {seenOf(group).map((entry) => (
                <li key={entry.name}>
                  <PartLink
                    page={group.page}
                    entry={entry}
                    search={search}
                    isShown={group === here && entry.name === current}
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
function Jump({
  group: here,
  current,
  search,
  nameOf,
}: SettingsNavProps & { nameOf: (group: SettingsGroup) => string }) {
  return (
    <label class="field pages-jump">
      <span class="vh">{t("settings-page")}</span>
      <select
        value={`${here.page} ${current}`}
        onChange={({ currentTarget }) => {
          const [page, name = ""] = currentTarget.value.split(" ");
          search.value = "";
          go(
            pageAt(
              page === ORGANIZATION_GROUP.page ? ORGANIZATION_GROUP.page : OWN_GROUP.page,
              name,
            ),
          );
        }}
      >
        {GROUPS.map((group) => (
          <optgroup key={group.page} label={nameOf(group)}>
            {seenOf(group).map((entry) => (
              <option key={entry.name} value={`${group.page} ${entry.name}`}>
                {t(entry.textKey)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

interface PartLinkProps {
  page: SettingsPageName;
  entry: SettingsPageEntry;
  search: Signal<string>;
  isShown?: boolean;
}

function PartLink({ page, entry, search, isShown = false }: PartLinkProps) {
  const link = useRef<HTMLAnchorElement>(null);
  // Scrolls to the current page if the list is longer than the sidebar.
  useEffect(() => {
    if (isShown) link.current?.scrollIntoView({ block: "nearest" });
  }, [isShown]);
  return (
    <a
      ref={link}
      class="sidebar-row"
      href={addressOf(pageAt(page, entry.name))}
      aria-current={isShown ? "page" : undefined}
      onClick={() => (search.value = "")}
    >
      <Icon name={entry.icon} size={18} />
      <span class="t">{t(entry.textKey)}</span>
    </a>
  );
}
