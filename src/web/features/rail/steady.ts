// While somebody points at the rail its rows stay where they are.
import { signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { steadied } from "./rows.ts";

/** Who rests there for so long is not about to press. */
const REST_MS = 5000;

const isPointed = signal(false);
let rest: ReturnType<typeof setTimeout> | undefined;

export const pointing = {
  onPointerMove: () => {
    clearTimeout(rest);
    isPointed.value = true;
    rest = setTimeout(() => (isPointed.value = false), REST_MS);
  },
  onPointerLeave: () => {
    clearTimeout(rest);
    isPointed.value = false;
  },
};

/** The items in the order to show them in. */
export function useSteady<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const before = useRef<readonly string[]>([]);
  const next = items.map(keyOf);
  const order = isPointed.value ? steadied(before.current, next) : next;
  before.current = order;
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  return order.map((key) => byKey.get(key)!);
}
