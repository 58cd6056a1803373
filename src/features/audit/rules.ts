// The form of audit entries, and which of their values contain no personal data.

/** An action before it is added to the chain. */
export interface Act {
  /** For example `user_role_changed`. */
  readonly act: string;
  readonly on: string;
  readonly on_id: number | string | null;
  /** Stored in the chain. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** Stored beside the chain, and can be erased. */
  readonly words?: Readonly<Record<string, unknown>>;
}

/** Maximum length of recorded texts. */
const TEXT_MAX = 500;

/** Changed fields: `[before, after]`. */
export type Difference = Record<string, readonly [before: unknown, after: unknown]>;

/** Texts may contain names; numbers and booleans never do. */
export function splitDifference(difference: Difference): Required<Pick<Act, "facts" | "words">> {
  const facts: Record<string, unknown> = {};
  const words: Record<string, unknown> = {};
  for (const [name, pair] of Object.entries(difference)) {
    const isPlain = pair.every(isEmptyValue);
    (isPlain ? facts : words)[name] = pair.map((value) => shortened(value));
  }
  return { facts, words };
}

export function differing(before: object, after: object, except: readonly string[] = []) {
  const [oldValues, newValues] = [before, after] as Record<string, unknown>[];
  const names = new Set([...Object.keys(oldValues!), ...Object.keys(newValues!)]);
  const difference: Difference = {};
  for (const name of names) {
    if (except.includes(name) || Bun.deepEquals(oldValues![name], newValues![name])) continue;
    difference[name] = [oldValues![name] ?? null, newValues![name] ?? null];
  }
  return difference;
}

/** Splits a difference into the named fields and all others. */
export function splitFields(
  difference: Difference,
  names: readonly string[],
): [Difference, Difference] {
  const [matching, others]: [Difference, Difference] = [{}, {}];
  for (const [name, pair] of Object.entries(difference)) {
    (names.includes(name) ? matching : others)[name] = pair;
  }
  return [matching, others];
}

export const isEmptyDifference = (difference: Difference) => Object.keys(difference).length === 0;

function isEmptyValue(value: unknown): boolean {
  if (typeof value === "string") return false;
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isEmptyValue);
}

function shortened(value: unknown): unknown {
  const isLong = typeof value === "string" && value.length > TEXT_MAX;
  return isLong ? `${value.slice(0, TEXT_MAX)}…` : value;
}
