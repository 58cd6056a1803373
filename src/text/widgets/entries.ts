// Common parts of polls and to-do lists: initial content and later additions.

/** An addition and its sender. Its id is negative until the server confirms it. */
export interface AddedEntry {
  id: number;
  sender_id: number;
  msg_type: string;
  content: string;
}

export type AddedFields = Record<string, unknown>;

/** Owner of the initial entries. */
export const CANNED = "canned";

const WIDGET = "widget";

/**
 * Returns the initial content of a widget of this kind and its additions; undefined if the message
 * has none. Users can add arbitrary content to their own messages under other types, which is
 * ignored.
 */
export function widgetContent(kind: "poll" | "todo", submessages: readonly AddedEntry[]) {
  const widgetSubmessages = submessages.filter(({ msg_type }) => msg_type === WIDGET);
  const [first, ...additions] = inOrder(widgetSubmessages);
  const { widget_type, extra_data } = parsed(first?.content);
  if (widget_type !== kind) return undefined;
  return { data: dictOf(extra_data), additions };
}

/** Invalid JSON counts as empty. */
export function parsed(content: string | undefined): AddedFields {
  try {
    return dictOf(JSON.parse(content ?? ""));
  } catch {
    return {};
  }
}

export const dictOf = (value: unknown): AddedFields =>
  typeof value === "object" && value !== null ? (value as AddedFields) : {};

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const wordsOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? `${value}` : "";

/** Returns the entries in order of creation; unconfirmed additions come last. */
function inOrder(submessages: readonly AddedEntry[]): AddedEntry[] {
  const rank = ({ id }: AddedEntry) => (id < 0 ? Infinity : id);
  return submessages.toSorted((a, b) => rank(a) - rank(b) || b.id - a.id);
}

/** Options or tasks in order of creation, with constant-time lookup. */
export class Entries<Entry> {
  private readonly byKey = new Map<string, Entry>();
  private readonly byWords = new Map<string, Entry>();

  get all(): Entry[] {
    return [...this.byKey.values()];
  }

  /**
   * Returns the key for a new entry; undefined if its text or number exists. Unconfirmed entries
   * get the next free number, as the server will assign it.
   */
  keyFor(
    text: string,
    number: unknown,
    keyOf: (number: string) => string,
    isPending: boolean,
  ): string | undefined {
    if (this.byWords.has(text)) return undefined;
    const key = keyOf(wordsOf(number));
    if (!this.byKey.has(key)) return key;
    if (!isPending) return undefined;
    let next = 1;
    while (this.byKey.has(keyOf(`${next}`))) next += 1;
    return keyOf(`${next}`);
  }

  put(key: string, text: string, entry: Entry): void {
    this.byKey.set(key, entry);
    this.byWords.set(text, entry);
  }

  /**
   * Finds the entry of an addition. If the entry was unconfirmed when the addition was made, its
   * text (`of`) identifies it, because its number may have changed and another user's text may be
   * equal. Confirmed additions use the number alone, as all clients do.
   */
  entryFor(id: number, { key, of }: AddedFields): Entry | undefined {
    return id < 0 && of !== undefined
      ? this.byWords.get(wordsOf(of))
      : this.byKey.get(wordsOf(key));
  }
}

/** Returns a number that no entry has, between these parts of its key. */
export function nextNumber(
  entries: readonly { key: string }[],
  before: string,
  after: string,
): number {
  const numbers = entries.flatMap(({ key }) =>
    key.startsWith(before) && key.endsWith(after)
      ? [Number(key.slice(before.length, key.length - after.length))]
      : [],
  );
  return Math.max(0, ...numbers) + 1;
}
