// Returns the focus to the element that opened a layer, or to the row that took its place.
import { effect } from "@preact/signals";
import { actionSelectorOf } from "../../feed/roving-tabindex.ts";
import { layers } from "../../ui/layer-state.ts";

/** Identifies the element that opened a layer, even after it was rendered again. */
interface FocusTarget {
  row: string;
  /** Within the row; empty for the row itself. */
  selector: string;
}

let opened = new Map<string, FocusTarget>();

effect(() => {
  const before = opened;
  opened = new Map();
  for (const { id, from } of layers.value) {
    const again = before.get(id) ?? againAt(from);
    if (again !== undefined) opened.set(id, again);
  }
  const closed = [...before].find(([id]) => !opened.has(id))?.[1];
  if (closed !== undefined) queueMicrotask(() => goBack(closed));
});

function againAt(node: Element | null): FocusTarget | undefined {
  const row = node?.closest(".msg");
  if (!row || !(node instanceof HTMLElement)) return undefined;
  return { row: `#${row.id}`, selector: actionSelectorOf(node) ?? "" };
}

/** If the element still exists, the browser has focused it already. */
function goBack({ row, selector }: FocusTarget): void {
  if (document.activeElement !== document.body) return;
  const find = (selector: string) => document.querySelector<HTMLElement>(selector);
  const found = find(`${row} ${selector}`) ?? find(row) ?? find(".msg[tabindex='0']");
  found?.focus({ preventScroll: true });
}
