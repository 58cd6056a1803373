// Translates error messages, which are created in English and found by their text.
import { ownValue } from "../input/own-value.ts";
import refusals from "./refusals.json" with { type: "json" };

const ALL: Readonly<Record<string, Readonly<Record<string, string>>>> = refusals;
/** `{name}` stands for a value in the message. */
const VALUE = /\{(\w+)\}/g;

/** Returns the message in the given language, such as `de`, or in English without a translation. */
export function refusalIn(language: string, said: string): string {
  const all = ownValue(ALL, language) ?? {};
  if (Object.hasOwn(all, said)) return all[said]!;
  for (const [english, own] of Object.entries(all)) {
    const values = valuesIn(said, english);
    if (values) return own.replace(VALUE, (_, name: string) => values.get(name) ?? "");
  }
  return said;
}

/** The values in a message; undefined if the message does not match. */
function valuesIn(said: string, english: string): Map<string, string> | undefined {
  const [first = "", ...rest] = english.split(VALUE);
  if (rest.length === 0 || !said.startsWith(first)) return undefined;
  const values = new Map<string, string>();
  let at = first.length;
  for (let place = 0; place < rest.length; place += 2) {
    const [name, after] = [rest[place]!, rest[place + 1]!];
    const end = after === "" ? said.length : said.indexOf(after, at);
    if (end <= at) return undefined;
    values.set(name, said.slice(at, end));
    at = end + after.length;
  }
  return at === said.length ? values : undefined;
}
