// If the selected row is removed, the neighboring row is selected and focused.
import type { Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { isLayered } from "../layers.ts";

export interface ListItem {
  key: string;
  /** A heading, not a row. */
  isHead?: boolean;
}

/** Returns the key of the focused row, which the list stores there. */
export function useDetailList(
  items: readonly ListItem[],
  selected: Signal<string | undefined>,
  wantsFocus: RefObject<boolean>,
): RefObject<string | undefined> {
  const focused = useRef<string>(undefined);
  const before = useRef(items);
  useLayoutEffect(() => {
    const last = before.current;
    before.current = items;
    const { current: key } = focused;
    if (key === undefined || last === items || document.activeElement !== document.body) return;
    const keys = new Set(items.map((listItem) => listItem.key));
    const index = last.findIndex((listItem) => listItem.key === key);
    if (keys.has(key) || index === -1 || isLayered()) return;
    focused.current = undefined;
    wantsFocus.current = true;
    if (keys.has(selected.peek() ?? "")) return;
    const neighbors = [...last.slice(index), ...last.slice(0, index).reverse()];
    selected.value = neighbors.find((listItem) => !listItem.isHead && keys.has(listItem.key))?.key;
  });
  return focused;
}
