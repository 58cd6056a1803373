// Keeps the order of a list's rows while the user points at it or navigates it with keys.
import { signal } from "@preact/signals";
import { useRef } from "preact/hooks";

/** After this time without movement, rows may be reordered. */
const POINTER_REST_MS = 5000;

export const isPointed = signal(false);
let rest: ReturnType<typeof setTimeout> | undefined;

export const pointerHandlers = {
  onPointerMove: () => {
    clearTimeout(rest);
    isPointed.value = true;
    rest = setTimeout(() => (isPointed.value = false), POINTER_REST_MS);
  },
  onPointerLeave: () => {
    clearTimeout(rest);
    isPointed.value = false;
  },
};

/** The items in the order of display. */
export function useStableOrder<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const before = useRef<readonly string[]>([]);
  const ordered = mergeInOrder(isPointed.value ? before.current : [], items, keyOf);
  before.current = ordered.map(keyOf);
  return ordered;
}

/** Keeps the previous order of known rows. */
export function mergeInOrder<T>(
  before: readonly string[],
  items: readonly T[],
  keyOf: (item: T) => string,
): readonly T[] {
  if (before.length === 0) return items;
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  return stableOrder(before, [...byKey.keys()]).map((key) => byKey.get(key)!);
}

/** The previous order, with new items in their positions and without removed ones. */
export function stableOrder(before: readonly string[], next: readonly string[]): string[] {
  const keys = new Set(next);
  const remaining = before.filter((key) => keys.has(key));
  const remainingKeys = new Set(remaining);
  for (const [index, key] of next.entries()) {
    if (remainingKeys.has(key)) continue;
    const after = index === 0 ? -1 : remaining.indexOf(next[index - 1]!);
    remaining.splice(after + 1, 0, key);
    remainingKeys.add(key);
  }
  return remaining;
}
