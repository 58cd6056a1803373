// The types of rows in settings: what they set, their control, and their texts.
import { ownValue } from "../../../text/input/own-value.ts";
import { LANGUAGES } from "../../../features/settings/language-rules.ts";
import type { SettingName } from "../../../features/settings/rules.ts";
import { t, type TextKey } from "../../words/words.ts";

export interface Option {
  readonly value: string | number;
  /** A sentence, or what is the same in every language. */
  readonly words:
    TextKey | { readonly text: string } | { readonly word: TextKey; readonly count: number };
}

type SettingControl =
  | { readonly kind: "switch"; readonly isInverted?: boolean }
  | { readonly kind: "choice"; readonly options: readonly Option[] }
  | { readonly kind: "themes"; readonly options: readonly Option[] };

export interface SettingItem {
  readonly name: SettingName;
  readonly textKey: TextKey;
  readonly hint?: TextKey;
  readonly control: SettingControl;
}

export interface SettingsSection {
  readonly textKey: TextKey;
  readonly rows: readonly SettingItem[];
}

export const onOff: SettingControl = { kind: "switch" };
export const choice = (...options: readonly Option[]): SettingControl => ({
  kind: "choice",
  options,
});
export const option = (value: string | number, textKey: TextKey): Option => ({
  value,
  words: textKey,
});
export const textOption = (value: string | number, text: string): Option => ({
  value,
  words: { text },
});

export function labelOf({ words }: Option): string {
  if (typeof words === "string") return t(words);
  return "text" in words ? words.text : t(words.word, { count: words.count });
}

/** Adds the current value if it is not among the usual ones. */
export function optionsWith(options: readonly Option[], value: unknown): readonly Option[] {
  if (options.some((option) => option.value === value)) return options;
  if (typeof value !== "string" && typeof value !== "number") return options;
  return [...options, textOption(value, ownValue(LANGUAGES, value) ?? String(value))];
}

interface LabelledRow {
  readonly textKey: TextKey;
  readonly hint?: TextKey;
}
interface RowSection<R> {
  readonly textKey: TextKey;
  readonly rows: readonly R[];
}

/** The sections with the rows that match a search in the user's language. */
export function sectionsFor<R extends LabelledRow>(
  sections: readonly RowSection<R>[],
  search: string,
  translate: (word: TextKey) => string,
): readonly RowSection<R>[] {
  const matchesSearch = finder(search, translate);
  const isFound = ({ textKey, hint }: R) =>
    matchesSearch(`${translate(textKey)} ${hint ? translate(hint) : ""}`);
  return sections.flatMap(({ textKey, rows }) => {
    const matches = rows.filter(isFound);
    return matches.length === 0 ? [] : [{ textKey, rows: matches }];
  });
}

/** Shorter inputs are ambiguous. */
const QUERY_LENGTH_MIN = 3;

/** Returns a function that tells whether a text contains all words of the search, in any order. */
export function finder(
  search: string,
  translate: (word: TextKey) => string,
): (text: string) => boolean {
  const queryWords = wordsOf(search);
  const queries = [
    queryWords,
    ...alternativesFor(queryWords.join(" "), translate("settings-other-words")),
  ];
  return (text) => {
    const all = text.toLowerCase();
    return queries.some((words) => words.every((word) => all.includes(word)));
  };
}

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean);

/**
 * `other`: synonyms as lines such as "dark mode, theme = colours"; the part after `=` occurs in a
 * setting's text.
 */
function alternativesFor(query: string, other: string): string[][] {
  if (query.length < QUERY_LENGTH_MIN) return [];
  return other.split("\n").flatMap((line) => {
    const [called = "", synonym = ""] = line.split(" = ");
    const names = called.split(", ");
    const isCalled = names.some((name) => name.startsWith(query) || query.startsWith(`${name} `));
    return isCalled ? [[synonym]] : [];
  });
}
