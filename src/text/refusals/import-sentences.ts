// Translates the sentences in reports of imports, which the server writes in English.
import { ownValue } from "../input/own-value.ts";
import sentences from "./import-sentences.json" with { type: "json" };
import { type Sentences, sentenceIn } from "./sentences.ts";

const ALL: Readonly<Record<string, Sentences>> = sentences;
const AFTER_PLACE = ": ";
/** Names of files may contain the separator, too. */
const PARTS_MAX = 5;

/** A sentence may follow the place that it is about, such as `users.json#3: `. */
export function importSentenceIn(language: string, text: string): string {
  const all = ownValue(ALL, language) ?? {};
  const translated = sentenceIn(all, text);
  if (translated !== undefined) return translated;
  const parts = text.split(AFTER_PLACE, PARTS_MAX);
  for (let offset = 0, nth = 1; nth < parts.length; nth++) {
    offset += parts[nth - 1]!.length + AFTER_PLACE.length;
    const translatedPart = sentenceIn(all, text.slice(offset));
    if (translatedPart !== undefined) return text.slice(0, offset) + translatedPart;
  }
  return text;
}
