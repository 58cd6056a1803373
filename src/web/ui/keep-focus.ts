// If a focused element is removed, such as "Undo" after a click, the nearest one gets the focus.
import { useEffect } from "preact/hooks";

/** The position of an element in its ancestors, from the inside to the outside. */
type Path = readonly { holder: Element; index: number }[];

const WRITABLE = "input:not([type=checkbox], [type=radio], [type=range], [hidden]), textarea";
const INVALID_FIELD = "[aria-invalid=true]:not(:disabled)";
/** Scrolling regions can have the focus, but its outline would surround the whole page. */
const REGION = "[role=region], aside";
/** The next key press may be a shortcut, so text fields do not get the focus. */
const FOCUSABLE = `:is(input, select, button):not(:disabled, ${WRITABLE}), a[href],
  [tabindex="0"]:not(${REGION})`;

/** Restores the focus within this element while it is displayed: a page or a dialog. */
export function useRestoredFocus(within: () => HTMLElement | null): void {
  useEffect(() => {
    const page = within();
    if (!page) return undefined;
    const abortController = new AbortController();
    const { signal } = abortController;
    let last: HTMLElement | undefined;
    let path: Path = [];
    /** The element that took over the focus, until the user moves it. */
    let lastFocused: Element | undefined;
    const recordFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      const node = target;
      // Lists select another row themselves.
      last = node.closest(".list") ? undefined : node;
      path = pathTo(node, page);
    };
    // If the user moves the focus, the previous element still exists.
    const onRemoved = () => {
      const node = last;
      queueMicrotask(() => {
        if (node === last && node?.isConnected && !node.matches(":disabled")) last = undefined;
      });
    };
    page.addEventListener("focusin", recordFocus, { signal });
    page.addEventListener("focusout", onRemoved, { signal });
    const findFocusTarget = () => {
      const { activeElement } = document;
      const isLost = activeElement === document.body || activeElement?.matches(":disabled");
      if (last && isLost) {
        const next = nextFocusable(last, path);
        next?.focus({ preventScroll: true });
        lastFocused = next ?? undefined;
      } else if (activeElement !== lastFocused) lastFocused = undefined;
      // The form was submitted and rejected, so the field with the error gets the focus.
      const wrong = lastFocused?.closest("form")?.querySelector<HTMLElement>(INVALID_FIELD);
      if (!wrong) return;
      lastFocused = undefined;
      wrong.focus();
    };
    const watch = new MutationObserver(findFocusTarget);
    const attributeFilter = ["disabled", "aria-invalid"];
    watch.observe(page, { childList: true, subtree: true, attributeFilter });
    return () => {
      watch.disconnect();
      abortController.abort();
    };
  }, []);
}

function pathTo(node: Element, page: Element): Path {
  const path: { holder: Element; index: number }[] = [];
  for (let inner = node; inner !== page && inner.parentElement; inner = inner.parentElement) {
    const holder = inner.parentElement;
    path.push({ holder, index: [...holder.children].indexOf(inner) });
  }
  return path;
}

/** The element itself, once it is enabled again. */
function nextFocusable(last: HTMLElement, path: Path): HTMLElement | null | undefined {
  if (last.isConnected) {
    if (!last.matches(":disabled")) return last;
    const fields = last.closest("form")?.querySelectorAll<HTMLElement>(WRITABLE);
    return [...(fields ?? [])].findLast((field) => !field.matches(":disabled"));
  }
  for (const { holder, index } of path) {
    if (!holder.isConnected) continue;
    const { children } = holder;
    for (const candidate of [children[index], children[index - 1], holder]) {
      const candidates = [
        candidate,
        ...(candidate?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? []),
      ];
      const target = candidates.find((node) => node?.matches(FOCUSABLE) && node.checkVisibility());
      if (target instanceof HTMLElement) return target;
    }
  }
  return undefined;
}
