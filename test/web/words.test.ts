/** Every language translates every text, with the same values and its own plural forms. */
import { expect, test } from "bun:test";
import MessageFormat from "@messageformat/core";
import { Glob } from "bun";
import { basename, join } from "node:path";
import { PREFERENCES } from "../../src/web/features/settings/preferences.ts";
import { finder, sectionsFor } from "../../src/web/features/settings/rows.ts";
import { ALL_SECTIONS, GRID_NAMES, LEFT_OUT } from "../../src/web/features/settings/table.ts";
import { SETTING_NAMES, USER_SETTINGS } from "../../src/features/settings/rules.ts";

const FOLDER = join(import.meta.dir, "../../src/web/words");
type Catalogue = Record<string, string>;

const catalogues = new Map<string, Catalogue>();
for (const file of new Glob("*.json").scanSync(FOLDER)) {
  catalogues.set(basename(file, ".json"), (await Bun.file(join(FOLDER, file)).json()) as Catalogue);
}
const english = catalogues.get("en")!;
const others = [...catalogues].filter(([language]) => language !== "en");

/** The names of the values that a sentence holds. */
const valuesIn = (sentence: string) =>
  [...new Set([...sentence.matchAll(/\{\s*(\w+)\s*[,}]/g)].map(([, name]) => name!))].sort();

test("there is German besides English", () => {
  expect([...catalogues.keys()].sort()).toEqual(["de", "en"]);
});

test.each(others)("%s has every key, and no other", (_language, catalogue) => {
  expect(Object.keys(catalogue).sort()).toEqual(Object.keys(english).sort());
});

test.each([...catalogues.keys()])("each key occurs once in %s", async (language) => {
  const text = await Bun.file(join(FOLDER, `${language}.json`)).text();
  const keys = [...text.matchAll(/^ {2}"([^"]+)":/gm)].map(([, key]) => key!);
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  expect(keys.length).toBe(Object.keys(english).length);
});

test.each(others)("in %s each text has the values of the English one", (language, catalogue) => {
  for (const [key, sentence] of Object.entries(english)) {
    expect([key, valuesIn(catalogue[key]!)]).toEqual([key, valuesIn(sentence)]);
    const plural = /,\s*plural,/.test(sentence);
    expect([key, /,\s*plural,/.test(catalogue[key]!)]).toEqual([key, plural]);
    if (!plural) continue;
    for (const form of new Intl.PluralRules(language).resolvedOptions().pluralCategories) {
      expect(catalogue[key]).toMatch(new RegExp(`\\b${form} ?\\{`));
    }
  }
});

test.each([...catalogues])("every text of %s can be rendered", (language, catalogue) => {
  const format = new MessageFormat(language);
  for (const [key, sentence] of Object.entries(catalogue)) {
    const values = Object.fromEntries(valuesIn(sentence).map((name) => [name, 3]));
    const text = format.compile(sentence)(values) as string;
    expect([key, text === "" || text.includes("{")]).toEqual([key, false]);
  }
});

test("every setting is on one page, or has a reason to be on none", () => {
  const rows = ALL_SECTIONS.flatMap((section) => section.rows.map(({ name }) => name));
  const paths = [...rows, ...GRID_NAMES, ...Object.keys(LEFT_OUT)];
  expect(paths.sort()).toEqual([...SETTING_NAMES].sort());
});

test("each row has an existing setting and its allowed values", () => {
  const rows = ALL_SECTIONS.flatMap((section) => section.rows);
  for (const name of GRID_NAMES) expect([name, USER_SETTINGS[name].kind]).toEqual([name, "bool"]);
  for (const { name, control } of rows) {
    expect(SETTING_NAMES).toContain(name);
    const { kind, isValid } = USER_SETTINGS[name];
    if (control.kind === "switch") expect([name, kind]).toEqual([name, "bool"]);
    else
      for (const { value } of control.options) expect([name, isValid(value)]).toEqual([name, true]);
  }
});

test("a search finds rows that contain all its words", () => {
  const results = sectionsFor(PREFERENCES, "scroll READ", (word) => english[word]!);
  expect(results.flatMap(({ rows }) => rows.map(({ name }) => name))).toEqual([
    "web_mark_read_on_scroll_policy",
  ]);
  expect(sectionsFor(PREFERENCES, "nothing like it", (word) => english[word]!)).toEqual([]);
  expect(sectionsFor(PREFERENCES, " ", (word) => english[word]!)).toEqual([...PREFERENCES]);
});

test("synonyms lead to words in the settings", () => {
  for (const [language, words] of catalogues) {
    const lines = Object.entries(words)
      .filter(([key]) => /^(settings|org|emoji)/.test(key) && key !== "settings-other-words")
      .map(([, sentence]) => sentence.toLowerCase());
    for (const line of words["settings-other-words"]!.split("\n")) {
      const [, called, meaning] = /^(\S.*\S) = (\S.*\S)$/.exec(line)!;
      const exists = lines.some((sentence) => sentence.includes(meaning!));
      expect([language, called, exists]).toEqual([language, called, true]);
      const has = finder(called!.split(", ")[0]!, (word) => words[word]!);
      expect(has(`How ${meaning} is`)).toBe(true);
      expect(has("something else")).toBe(false);
    }
  }
});

test("a search for a synonym finds the setting, and no others", () => {
  const settingsFound = (search: string) =>
    sectionsFor(PREFERENCES, search, (word) => english[word]!).flatMap(({ rows }) =>
      rows.map(({ name }) => name as string),
    );
  expect(settingsFound("Dark mode")).toEqual(["color_scheme"]);
  expect(settingsFound("timezone")).toContain("timezone");
  expect(settingsFound("font size")).toEqual(["web_font_size_px"]);
  expect(settingsFound("enter to send")).toEqual(["enter_sends"]);
  expect(settingsFound("gif")).toEqual(["web_animate_image_previews"]);
});
