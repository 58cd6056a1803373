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

let focusTargets = new Map<string, FocusTarget>();

effect(() => {
  const before = focusTargets;
  focusTargets = new Map();
  for (const { id, from } of layers.value) {
    const target = before.get(id) ?? focusTargetOf(from);
    if (target !== undefined) focusTargets.set(id, target);
  }
  const closed = [...before].find(([id]) => !focusTargets.has(id))?.[1];
  if (closed !== undefined) queueMicrotask(() => goBack(closed));
});

function focusTargetOf(node: Element | null): FocusTarget | undefined {
  const row = node?.closest(".msg");
  if (!row || !(node instanceof HTMLElement)) return undefined;
  return { row: `#${row.id}`, selector: actionSelectorOf(node) ?? "" };
}

/**
 * Focuses the element again if it was rendered again. If it still exists, the browser has focused
 * it already.
 */
function goBack({ row, selector }: FocusTarget): void {
  if (document.activeElement !== document.body) return;
  const find = (selector: string) => document.querySelector<HTMLElement>(selector);
  const target = find(`${row} ${selector}`) ?? find(row) ?? find(".msg[tabindex='0']");
  target?.focus({ preventScroll: true });
}
