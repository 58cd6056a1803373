// What an act in the audit log is, and which of its values name nobody.

/** What was done, before it has its place in the chain. */
export interface Act {
  /** Such as `user_role_changed`. */
  readonly act: string;
  readonly on: string;
  readonly on_id: number | string | null;
  /** What the chain itself shows. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** What stands beside it, and may be emptied. */
  readonly words?: Readonly<Record<string, unknown>>;
}

/** Of a text that somebody wrote, so much is kept. */
const TEXT_MAX = 500;

/** By field, `[before, after]`: those that differ. */
export type Difference = Record<string, readonly [before: unknown, after: unknown]>;

/** In texts people are named, and places; in numbers and switches nobody is. */
export function parted(difference: Difference): Required<Pick<Act, "facts" | "words">> {
  const facts: Record<string, unknown> = {};
  const words: Record<string, unknown> = {};
  for (const [name, pair] of Object.entries(difference)) {
    const isPlain = pair.every(namesNobody);
    (isPlain ? facts : words)[name] = pair.map((value) => cut(value));
  }
  return { facts, words };
}

export function differing(before: object, after: object, except: readonly string[] = []) {
  const [was, is] = [before, after] as Record<string, unknown>[];
  const names = new Set([...Object.keys(was!), ...Object.keys(is!)]);
  const difference: Difference = {};
  for (const name of names) {
    if (except.includes(name) || Bun.deepEquals(was![name], is![name])) continue;
    difference[name] = [was![name] ?? null, is![name] ?? null];
  }
  return difference;
}

/** Those fields of a difference, and the others. */
export function taken(difference: Difference, names: readonly string[]): [Difference, Difference] {
  const [some, others]: [Difference, Difference] = [{}, {}];
  for (const [name, pair] of Object.entries(difference)) {
    (names.includes(name) ? some : others)[name] = pair;
  }
  return [some, others];
}

export const isNone = (difference: Difference) => Object.keys(difference).length === 0;

function namesNobody(value: unknown): boolean {
  if (typeof value === "string") return false;
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(namesNobody);
}

function cut(value: unknown): unknown {
  const isLong = typeof value === "string" && value.length > TEXT_MAX;
  return isLong ? `${value.slice(0, TEXT_MAX)}…` : value;
}
