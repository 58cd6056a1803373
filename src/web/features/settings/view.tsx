// The pages of one's own settings, and a search over all of them.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { addressOf, go } from "../../address.ts";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { View } from "../../views.ts";
import { say } from "../../words/words.ts";
import { GRID, WAYS } from "./notifications.ts";
import { PARTS, partsFor, type SettingsPart } from "./pages.tsx";
import { Rows } from "./row-view.tsx";
import { sectionsFor } from "./rows.ts";
import { ALL_SECTIONS } from "./table.ts";

const pageAt = (name: string): View => ({ kind: "page", page: "settings", path: [name] });
const PREFERENCES = PARTS.find(({ name }) => name === "preferences")!;

export function SettingsPage({ path }: { path: readonly string[] }) {
  const search = useSignal("");
  const shown = PARTS.find(({ name }) => name === path[0]) ?? PREFERENCES;
  useEffect(() => {
    const row = path[1] === undefined ? null : document.getElementById(`setting-${path[1]}`);
    row?.focus();
    row?.scrollIntoView({ block: "center" });
  }, [path[1]]);
  const isSearching = search.value.trim() !== "";
  const title = say(isSearching ? "settings-found" : shown.words);
  return (
    <>
      <header class="bar">
        <div class="bar-main">
          <h1>{say("settings")}</h1>
        </div>
        <div class="bar-acts">
          <IconButton icon="x" label={say("close")} onClick={() => go({ kind: "home" })} />
        </div>
      </header>
      <div class="settings-page">
        <SettingsNav shown={shown.name} search={search} />
        <div class="settings-body" tabIndex={0} role="region" aria-label={title}>
          <div class="in">
            <h2>{title}</h2>
            {isSearching ? <Found search={search} /> : <Part key={shown.name} part={shown} />}
          </div>
        </div>
      </div>
    </>
  );
}

function Part({ part: { about, Body } }: { part: SettingsPart }) {
  return (
    <>
      <p class="settings-intro">{say(about)}</p>
      <Body />
    </>
  );
}

function Found({ search }: { search: Signal<string> }) {
  const sections = sectionsFor(ALL_SECTIONS, search.value, say);
  const parts = new Set(partsFor(search.value));
  if (isInGrid(search.value)) parts.add(PARTS.find(({ name }) => name === "notifications")!);
  if (sections.length === 0 && parts.size === 0) {
    return <p class="settings-intro">{say("settings-none")}</p>;
  }
  return (
    <>
      <ul class="row-list">
        {[...parts].map(({ name, words, icon }) => (
          <li key={name}>
            <a class="rail-row" href={addressOf(pageAt(name))} onClick={() => (search.value = "")}>
              <Icon name={icon} size={18} />
              <span class="t">{say(words)}</span>
            </a>
          </li>
        ))}
      </ul>
      <Rows sections={sections} />
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

function SettingsNav({ shown, search }: { shown: string; search: Signal<string> }) {
  return (
    <nav class="settings-nav" aria-label={say("settings")}>
      <label class="field">
        <Icon name="search" size={16} />
        <span class="vh">{say("settings-search")}</span>
        <input
          type="search"
          placeholder={say("settings-search")}
          value={search.value}
          onInput={({ currentTarget }) => (search.value = currentTarget.value)}
        />
      </label>
      <ul class="row-list">
        {PARTS.map(({ name, words, icon }) => (
          <li key={name}>
            <a
              class="rail-row"
              href={addressOf(pageAt(name))}
              aria-current={name === shown ? "page" : undefined}
              onClick={() => (search.value = "")}
            >
              <Icon name={icon} size={18} />
              <span class="t">{say(words)}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
