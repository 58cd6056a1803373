// What a row of the settings is: what it sets, how it is chosen, and in which words.
import { LANGUAGES } from "../../../features/settings/language-rules.ts";
import type { SettingName } from "../../../features/settings/rules.ts";
import { say, type Word } from "../../words/words.ts";

export interface Option {
  readonly value: string | number;
  /** A sentence, or what is the same in every language. */
  readonly words:
    Word | { readonly text: string } | { readonly word: Word; readonly count: number };
}

export type Control =
  | { readonly kind: "switch"; readonly isInverted?: boolean }
  | { readonly kind: "choice"; readonly options: readonly Option[] }
  | { readonly kind: "themes"; readonly options: readonly Option[] };

export interface Row {
  readonly name: SettingName;
  readonly words: Word;
  readonly hint?: Word;
  readonly control: Control;
}

export interface Section {
  readonly words: Word;
  readonly rows: readonly Row[];
}

export const onOff: Control = { kind: "switch" };
export const choice = (...options: readonly Option[]): Control => ({ kind: "choice", options });
export const option = (value: string | number, words: Word): Option => ({ value, words });
export const plain = (value: string | number, text: string): Option => ({ value, words: { text } });

export function saidOf({ words }: Option): string {
  if (typeof words === "string") return say(words);
  return "text" in words ? words.text : say(words.word, { count: words.count });
}

/** What a person has chosen that is not among the usual stands there too. */
export function optionsWith(options: readonly Option[], value: unknown): readonly Option[] {
  if (options.some((one) => one.value === value)) return options;
  if (typeof value !== "string" && typeof value !== "number") return options;
  return [...options, plain(value, LANGUAGES[value] ?? String(value))];
}

interface Worded {
  readonly words: Word;
  readonly hint?: Word;
}
interface Sectioned<R> {
  readonly words: Word;
  readonly rows: readonly R[];
}

/** The sections with the rows of whose words, as they are said, a search finds all. */
export function sectionsFor<R extends Worded>(
  sections: readonly Sectioned<R>[],
  search: string,
  said: (word: Word) => string,
): readonly Sectioned<R>[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isFound = ({ words, hint }: R) => {
    const all = `${said(words)} ${hint ? said(hint) : ""}`.toLowerCase();
    return wanted.every((word) => all.includes(word));
  };
  return sections.flatMap(({ words, rows }) => {
    const found = rows.filter(isFound);
    return found.length === 0 ? [] : [{ words, rows: found }];
  });
}
