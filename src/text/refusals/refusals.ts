// Translates error messages, which are created in English and found by their text.
import { ownValue } from "../input/own-value.ts";
import refusals from "./refusals.json" with { type: "json" };

const ALL: Readonly<Record<string, Readonly<Record<string, string>>>> = refusals;
/** `{name}` stands for a value in the message. */
const VALUE = /\{(\w+)\}/g;

/** Returns the message in the given language, such as `de`, or in English without a translation. */
export function refusalIn(language: string, text: string): string {
  const all = ownValue(ALL, language) ?? {};
  if (Object.hasOwn(all, text)) return all[text]!;
  for (const [english, own] of Object.entries(all)) {
    const values = valuesIn(text, english);
    if (values) return own.replace(VALUE, (_, name: string) => values.get(name) ?? "");
  }
  return text;
}

/** The values in a message; undefined if the message does not match. */
function valuesIn(text: string, english: string): Map<string, string> | undefined {
  const [first = "", ...rest] = english.split(VALUE);
  if (rest.length === 0 || !text.startsWith(first)) return undefined;
  const values = new Map<string, string>();
  let index = first.length;
  for (let position = 0; position < rest.length; position += 2) {
    const [name, after] = [rest[position]!, rest[position + 1]!];
    const end = after === "" ? text.length : text.indexOf(after, index);
    if (end <= index) return undefined;
    values.set(name, text.slice(index, end));
    index = end + after.length;
  }
  return index === text.length ? values : undefined;
}
