// Shift+Tab from the composer returns to the messages.
import { moveFocus } from "../conversation/move-actions.ts";

let isByTab = false;
/** The focus came by Tab and the user has typed nothing, so the next Tab leaves the composer. */
let isPassing = false;

document.addEventListener("keydown", ({ key }) => (isByTab = key === "Tab"), { capture: true });
document.addEventListener("pointerdown", () => (isByTab = false), { capture: true, passive: true });

/** The focus moved into the composer from elsewhere, or within it. */
export function onComposerFocus({ currentTarget, relatedTarget }: FocusEvent): void {
  const isInside =
    relatedTarget instanceof Node &&
    currentTarget instanceof Node &&
    currentTarget.contains(relatedTarget);
  if (!isInside) isPassing = isByTab;
}

export function onComposerInput(): void {
  isPassing = false;
}

/** If there are no messages, the focus moves to the next element. */
export function goBack(event: KeyboardEvent): void {
  const { activeElement: before } = document;
  if (event.key !== "Tab" || event.shiftKey || isPassing) return;
  if (!before?.closest(".compose-tools")) return;
  moveFocus("down");
  if (document.activeElement !== before) event.preventDefault();
}
