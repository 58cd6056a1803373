// Translates error messages, which are created in English and found by their text.
import { ownValue } from "../input/own-value.ts";
import { type Sentences, sentenceIn } from "./sentences.ts";
import refusals from "./refusals.json" with { type: "json" };

const ALL: Readonly<Record<string, Sentences>> = refusals;

/** Returns the message in the given language, such as `de`, or in English without a translation. */
export function refusalIn(language: string, text: string): string {
  return sentenceIn(ownValue(ALL, language) ?? {}, text) ?? text;
}
