// Finds the user or channel that a text names, although a punctuation mark may follow the name.

interface NamedKey {
  readonly key: string;
  /** The punctuation after the name. */
  readonly rest: string;
}

/** Returns the longest name that exists, because names may contain punctuation. */
export function longestName(
  text: string,
  keyOf: (name: string) => string | undefined,
): NamedKey | undefined {
  for (let end = text.length; end > 0; end--) {
    const key = keyOf(text.slice(0, end));
    if (key !== undefined) return { key, rest: text.slice(end) };
    if (!/[._-]/.test(text[end - 1]!)) return undefined;
  }
  return undefined;
}
