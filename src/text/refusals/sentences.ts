// Finds the translation of a sentence that contains values by the pattern that it matches.

/** Translations by the English sentence, in which `{name}` stands for a value. */
export type Sentences = Readonly<Record<string, string>>;

const VALUE = /\{(\w+)\}/g;

/** undefined: there is no translation. */
export function sentenceIn(all: Sentences, text: string): string | undefined {
  if (Object.hasOwn(all, text)) return all[text];
  for (const [english, translation] of Object.entries(all)) {
    const values = valuesIn(text, english);
    if (values) return translation.replace(VALUE, (_, name: string) => values.get(name) ?? "");
  }
  return undefined;
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
