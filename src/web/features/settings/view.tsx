// The pages of one's own settings: a row for each, saved as soon as it is chosen.
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { addressOf, go } from "../../address.ts";
import { keyed, now } from "../../live.ts";
import { IconButton } from "../../ui/button.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import type { View } from "../../views.ts";
import { say, type Word } from "../../words/words.ts";
import { changeOwnSetting, saved, undoSetting } from "./actions.ts";
import { DevicePage } from "./device-view.tsx";
import { type Option, optionsWith, PREFERENCES, type Row, sectionsFor } from "./table.ts";
import { ThemeSwatch } from "./swatch.tsx";

const pageAt = (name: string): View => ({ kind: "page", page: "settings", path: [name] });

const PAGES: readonly { name: string; words: Word; icon: IconName }[] = [
  { name: "preferences", words: "settings-preferences", icon: "sliders" },
  { name: "device", words: "settings-device", icon: "device" },
];
/** What the server's own page is for. */
const ACCOUNT_ADDRESS = "/account/";

export function SettingsPage({ path }: { path: readonly string[] }) {
  const search = useSignal("");
  const shown = PAGES.find(({ name }) => name === path[0]) ?? PAGES[0]!;
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const row = path[1] === undefined ? null : document.getElementById(`setting-${path[1]}`);
    row?.focus();
    row?.scrollIntoView({ block: "center" });
  }, [path[1]]);
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
        <div
          class="settings-body"
          ref={body}
          tabIndex={0}
          role="region"
          aria-label={say(shown.words)}
        >
          <div class="in">
            <h2>{say(shown.words)}</h2>
            {shown.name === "device" ? <DevicePage /> : <Preferences search={search.value} />}
          </div>
        </div>
      </div>
    </>
  );
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
        {PAGES.map(({ name, words, icon }) => (
          <li key={name}>
            <a
              class="rail-row"
              href={addressOf(pageAt(name))}
              aria-current={name === shown ? "page" : undefined}
            >
              <Icon name={icon} size={18} />
              <span class="t">{say(words)}</span>
            </a>
          </li>
        ))}
        <li>
          <a class="rail-row" href={ACCOUNT_ADDRESS}>
            <Icon name="key" size={18} />
            <span class="t">{say("settings-account")}</span>
          </a>
        </li>
      </ul>
    </nav>
  );
}

function Preferences({ search }: { search: string }) {
  const found = sectionsFor(PREFERENCES, search, say);
  return (
    <>
      <p class="settings-intro">{say("settings-intro")}</p>
      {found.length === 0 && <p class="settings-intro">{say("settings-none")}</p>}
      {found.map(({ words, rows }) => (
        <section key={words}>
          <h3>{say(words)}</h3>
          {rows.map((row) => (
            <SettingRow key={row.name} row={row} />
          ))}
        </section>
      ))}
    </>
  );
}

function SettingRow({ row }: { row: Row }) {
  const { name, words, hint, control } = row;
  keyed(`setting:${name}`);
  const value = now().settings.settings[name];
  const id = `setting-${name}`;
  if (control.kind === "themes") {
    return <Themes row={row} options={control.options} value={value} />;
  }
  return (
    <SettingFrame
      id={id}
      words={words}
      hint={hint}
      beside={saved.value?.name === name ? <SavedMark /> : undefined}
    >
      {control.kind === "switch" ? (
        <input
          class="switch"
          type="checkbox"
          role="switch"
          id={id}
          checked={value === true}
          onChange={({ currentTarget }) => changeOwnSetting(name, currentTarget.checked)}
        />
      ) : (
        <span class="field">
          <select
            id={id}
            value={String(value)}
            onChange={({ currentTarget }) => choose(row, control.options, currentTarget.value)}
          >
            {optionsWith(control.options, value).map((option) => (
              <option key={option.value} value={String(option.value)}>
                {saidOf(option)}
              </option>
            ))}
          </select>
        </span>
      )}
    </SettingFrame>
  );
}

function choose({ name }: Row, options: readonly Option[], text: string): void {
  const option = options.find(({ value }) => String(value) === text);
  if (option) changeOwnSetting(name, option.value);
}

interface Framed {
  id: string;
  words: Word;
  hint?: Word | undefined;
  beside?: ComponentChildren;
  children: ComponentChildren;
}

export function SettingFrame({ id, words, hint, beside, children }: Framed) {
  return (
    <div class="settings-row">
      <span>
        <label for={id}>{say(words)}</label>
        {beside}
      </span>
      {hint && <p>{say(hint)}</p>}
      <span class="settings-ctl">{children}</span>
    </div>
  );
}

function SavedMark() {
  return (
    <span class="settings-saved" role="status">
      {say("settings-saved")}{" "}
      <button type="button" onClick={() => undoSetting()}>
        {say("undo")}
      </button>
    </span>
  );
}

function Themes({ row, options, value }: { row: Row; options: readonly Option[]; value: unknown }) {
  return (
    <fieldset class="settings-themes">
      <legend>
        {say(row.words)}
        {saved.value?.name === row.name && <SavedMark />}
      </legend>
      {options.map((option) => (
        <label key={option.value}>
          <ThemeSwatch scheme={Number(option.value)} />
          <input
            class="radio"
            type="radio"
            name={row.name}
            checked={option.value === value}
            onChange={() => changeOwnSetting(row.name, option.value)}
          />
          {saidOf(option)}
        </label>
      ))}
    </fieldset>
  );
}

const saidOf = ({ words }: Option): string => (typeof words === "string" ? say(words) : words.text);
