// Where what has the focus goes away, such as "Undo" once it is pressed, what is nearest gets it.
import { useEffect } from "preact/hooks";

/** Where something stands in what holds it, from the inside to the outside. */
type Path = readonly { holder: Element; at: number }[];

const WRITABLE = "input:not([type=checkbox], [type=radio], [type=range], [hidden]), textarea";
/** A key that is pressed next is a command: it goes into no text. */
const FOCUSABLE = `:is(input, select, button):not(:disabled, ${WRITABLE}), a[href], [tabindex="0"]`;

/** On the page that is shown, as long as it is. */
export function useKeptFocus(): void {
  useEffect(() => {
    const page = document.getElementById("main");
    if (!page) return undefined;
    const over = new AbortController();
    const { signal } = over;
    let last: HTMLElement | undefined;
    let path: Path = [];
    const focused = ({ target }: FocusEvent) => {
      const node = target as HTMLElement;
      // Lists have a row that is chosen, whatever has the focus.
      last = node.closest(".list") ? undefined : node;
      path = pathTo(node, page);
    };
    // Who goes elsewhere leaves something that is still there.
    const left = () => {
      const node = last;
      queueMicrotask(() => {
        if (node === last && node?.isConnected && !node.matches(":disabled")) last = undefined;
      });
    };
    page.addEventListener("focusin", focused, { signal });
    page.addEventListener("focusout", left, { signal });
    const look = () => {
      const { activeElement } = document;
      const isLost = activeElement === document.body || activeElement?.matches(":disabled");
      if (last && isLost) nextTo(last, path)?.focus({ preventScroll: true });
    };
    const watch = new MutationObserver(look);
    watch.observe(page, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    return () => {
      watch.disconnect();
      over.abort();
    };
  }, []);
}

function pathTo(node: Element, page: Element): Path {
  const path: { holder: Element; at: number }[] = [];
  for (let inner = node; inner !== page && inner.parentElement; inner = inner.parentElement) {
    const holder = inner.parentElement;
    path.push({ holder, at: [...holder.children].indexOf(inner) });
  }
  return path;
}

/** It is itself, once it is enabled again. */
function nextTo(last: HTMLElement, path: Path): HTMLElement | null | undefined {
  if (last.isConnected) {
    if (!last.matches(":disabled")) return last;
    const fields = last.closest("form")?.querySelectorAll<HTMLElement>(WRITABLE);
    return [...(fields ?? [])].findLast((field) => !field.matches(":disabled"));
  }
  for (const { holder, at } of path) {
    if (!holder.isConnected) continue;
    const { children } = holder;
    for (const place of [children[at], children[at - 1], holder]) {
      const found = place?.matches(FOCUSABLE) ? place : place?.querySelector(FOCUSABLE);
      if (found instanceof HTMLElement && found.checkVisibility()) return found;
    }
  }
  return undefined;
}
