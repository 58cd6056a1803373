// Who closes a layer is back at the thing in a row that opened it, also where others have acted
// meanwhile and the row was drawn anew.
import { effect } from "@preact/signals";
import { thingOf } from "../../feed/roving.ts";
import { layers } from "../../ui/layers.ts";

/** By layer: by what that which opened it is found again. */
let opened = new Map<string, string>();

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

function againAt(node: Element | null): string | undefined {
  const row = node?.closest(".msg");
  const thing = row && thingOf(node as HTMLElement);
  return thing ? `#${row.id} ${thing}` : undefined;
}

/** What is still there has been given the focus by then. */
function goBack(again: string): void {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>(again)?.focus({ preventScroll: true });
}
