// Search words in the user's language that the names of emoji do not contain.

/** Parses lines such as `happy, glad = smile joy` into emoji names by word. */
export function synonymsIn(lines: string): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, string[]>();
  for (const line of lines.split("\n")) {
    const [text = "", names = ""] = line.split(" = ");
    for (const word of text.split(", ")) {
      all.set(word, [...(all.get(word) ?? []), ...names.split(" ")]);
    }
  }
  return all;
}
