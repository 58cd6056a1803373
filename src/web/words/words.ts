// The client's texts by key, in the user's language.
import { ownValue } from "../../text/input/own-value.ts";
import { signal } from "@preact/signals";
import { importOrReload } from "../scripts.ts";
import en from "./en.json";

/** The key of a text; missing translations fall back to English. */
export type TextKey = keyof typeof en;
type Values = Readonly<Record<string, string | number>>;
/** The build compiles texts with placeholders to functions. */
type Catalogue = Readonly<Record<TextKey, string | ((values: Values) => string)>>;

/** Texts of the first view. The others load right afterwards. */
const english: Partial<Catalogue> = en as unknown as Partial<Catalogue>;
const catalogue = signal(english);
let rest: Promise<void> | undefined;

/** Views that call it are rendered again when the language changes or more texts are loaded. */
export function t(word: TextKey, values: Values = {}): string {
  const fields = catalogue.value[word] ?? english[word];
  if (fields === undefined) loadTexts().catch(() => {});
  return typeof fields === "function" ? fields(values) : (fields ?? "");
}

/** Loads the texts that the first view does not need; retries after a failure. */
export function loadTexts(): Promise<void> {
  rest ??= import("./rest.ts").then(
    ({ restTexts }) => {
      Object.assign(english, restTexts);
      catalogue.value = { ...catalogue.value };
    },
    (error: unknown) => {
      rest = undefined;
      throw error;
    },
  );
  return rest;
}

/** Further languages, each in a file that is loaded on demand. */
const LANGUAGES: Readonly<Record<string, () => Promise<{ default: object }>>> = {
  de: () => import("./de.json"),
};

/** Languages of the client, from which users choose. */
export const UI_LANGUAGES = ["en", ...Object.keys(LANGUAGES)];

/** The language without its region. */
export const baseOf = (language: string): string => language.replace(/-.*/s, "");

/**
 * Loads a language. If it is missing, tries it without the region, then English. Returns whether
 * the texts changed.
 */
export async function setLanguage(language: string): Promise<boolean> {
  const load = ownValue(LANGUAGES, language) ?? ownValue(LANGUAGES, baseOf(language));
  loadLanguage = load;
  const texts: Partial<Catalogue> | undefined = load && (await importOrReload(load)).default;
  // Another language may have been requested meanwhile.
  if (loadLanguage !== load || catalogue.peek() === (texts ?? english)) return false;
  catalogue.value = texts ?? english;
  return true;
}

let loadLanguage: (typeof LANGUAGES)[string] | undefined;
