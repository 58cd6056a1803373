// What polls and to-do lists have in common: how they begin, and what is added to them in turn.

/** What was added, by whom; the id is below 0 while it is on its way to the server. */
export interface Added {
  id: number;
  sender_id: number;
  msg_type: string;
  content: string;
}

export type Addition = Record<string, unknown>;

/** Whose the entries are with which a widget begins. */
export const CANNED = "canned";

const WIDGET = "widget";

/**
 * What a widget of this kind begins with, and what was added to it; undefined where a message holds
 * none. Anybody may add anything to their own message, under a type of its own: that is none.
 */
export function begunAs(kind: "poll" | "todo", submessages: readonly Added[]) {
  const own = submessages.filter(({ msg_type }) => msg_type === WIDGET);
  const [first, ...additions] = inOrder(own);
  const { widget_type, extra_data } = parsed(first?.content);
  if (widget_type !== kind) return undefined;
  return { data: dictOf(extra_data), additions };
}

/** What is no JSON of ours says nothing. */
export function parsed(content: string | undefined): Addition {
  try {
    return dictOf(JSON.parse(content ?? ""));
  } catch {
    return {};
  }
}

export const dictOf = (value: unknown): Addition =>
  typeof value === "object" && value !== null ? (value as Addition) : {};

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const wordsOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? `${value}` : "";

/** As they were added: what is on its way comes last. */
function inOrder(submessages: readonly Added[]): Added[] {
  const rank = ({ id }: Added) => (id < 0 ? Infinity : id);
  return submessages.toSorted((a, b) => rank(a) - rank(b) || b.id - a.id);
}

/** Options or tasks in the order of their coming; each is found at once, however many are there. */
export class Entries<Entry> {
  private readonly byKey = new Map<string, Entry>();
  private readonly byWords = new Map<string, Entry>();

  get all(): Entry[] {
    return [...this.byKey.values()];
  }

  /**
   * The key of one that is to be added; undefined where its words, or its number, are there. What
   * is on its way has the next number that is free, as it will have from the server.
   */
  keyFor(
    words: string,
    number: unknown,
    keyOf: (number: string) => string,
    isOnItsWay: boolean,
  ): string | undefined {
    if (this.byWords.has(words)) return undefined;
    const key = keyOf(wordsOf(number));
    if (!this.byKey.has(key)) return key;
    if (!isOnItsWay) return undefined;
    let next = 1;
    while (this.byKey.has(keyOf(`${next}`))) next += 1;
    return keyOf(`${next}`);
  }

  put(key: string, words: string, entry: Entry): void {
    this.byKey.set(key, entry);
    this.byWords.set(words, entry);
  }

  /**
   * What was on its way itself when this was said of it is meant by its words, `of`, whatever
   * number it has by now: another device may have taken that which it had, or another person its
   * words. What the server tells goes by the number alone, as it does in all clients.
   */
  meant(id: number, { key, of }: Addition): Entry | undefined {
    return id < 0 && of !== undefined
      ? this.byWords.get(wordsOf(of))
      : this.byKey.get(wordsOf(key));
  }
}

/** A number that none of these has yet, between these parts of their keys. */
export function nextNumber(
  entries: readonly { key: string }[],
  before: string,
  after: string,
): number {
  const own = entries.flatMap(({ key }) =>
    key.startsWith(before) && key.endsWith(after)
      ? [Number(key.slice(before.length, key.length - after.length))]
      : [],
  );
  return Math.max(0, ...own) + 1;
}
