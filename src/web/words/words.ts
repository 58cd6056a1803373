// The client's texts by key, in the user's language.
import { ownValue } from "../../text/input/own-value.ts";
import { signal } from "@preact/signals";
import { untilThere } from "../scripts.ts";
import en from "./en.json";

/** The key of a sentence; a catalogue may lack some, which are then said in English. */
export type Word = keyof typeof en;
type Values = Readonly<Record<string, string | number>>;
/** The build makes functions of the sentences in which something is put. */
type Catalogue = Readonly<Record<Word, string | ((values: Values) => string)>>;

/** Texts of the first view. The others load right afterwards. */
const english: Partial<Catalogue> = en as unknown as Partial<Catalogue>;
const catalogue = signal(english);
let rest: Promise<void> | undefined;

/** Read in a view, it is drawn anew when the language changes, and when more sentences come. */
export function say(word: Word, values: Values = {}): string {
  const said = catalogue.value[word] ?? english[word];
  if (said === undefined) learn().catch(() => {});
  return typeof said === "function" ? said(values) : (said ?? "");
}

/** Fetches the sentences that the first view does without; what was not had is asked for again. */
export function learn(): Promise<void> {
  rest ??= import("./rest.ts").then(
    ({ sentences }) => {
      Object.assign(english, sentences);
      catalogue.value = { ...catalogue.value };
    },
    (error: unknown) => {
      rest = undefined;
      throw error;
    },
  );
  return rest;
}

/** Further languages, each a file that is fetched when it is wanted. */
const LANGUAGES: Readonly<Record<string, () => Promise<{ default: object }>>> = {
  de: () => import("./de.json"),
};

/** Languages of the client, from which users choose. */
export const SPOKEN = ["en", ...Object.keys(LANGUAGES)];

/**
 * Loads a language. If it is missing, tries it without the region, then English. Returns whether
 * the texts changed.
 */
export async function speak(language: string): Promise<boolean> {
  const load = ownValue(LANGUAGES, language) ?? ownValue(LANGUAGES, language.split("-")[0]!);
  spoken = load;
  const found = load && ((await untilThere(load)).default as Partial<Catalogue>);
  // Another one may have been wanted meanwhile.
  if (spoken !== load || catalogue.peek() === (found ?? english)) return false;
  catalogue.value = found ?? english;
  return true;
}

let spoken: (typeof LANGUAGES)[string] | undefined;
