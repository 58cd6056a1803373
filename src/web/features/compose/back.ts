// Shift+Tab from the composer returns to the messages.
import { step } from "../conversation/moves.ts";

let isByTab = false;
/** The user came by Tab and wrote nothing, so Tab continues through the page. */
let isPassing = false;

document.addEventListener("keydown", ({ key }) => (isByTab = key === "Tab"), { capture: true });
document.addEventListener("pointerdown", () => (isByTab = false), { capture: true, passive: true });

/** The focus came from somewhere else into the composer, or moves in it. */
export function came({ currentTarget, relatedTarget }: FocusEvent): void {
  const isInside = relatedTarget instanceof Node && (currentTarget as Node).contains(relatedTarget);
  if (!isInside) isPassing = isByTab;
}

export function wrote(): void {
  isPassing = false;
}

/** Without messages, it goes to what follows. */
export function goBack(event: KeyboardEvent): void {
  const { activeElement: before } = document;
  if (event.key !== "Tab" || event.shiftKey || isPassing) return;
  if (!before?.closest(".compose-tools")) return;
  step("down");
  if (document.activeElement !== before) event.preventDefault();
}
