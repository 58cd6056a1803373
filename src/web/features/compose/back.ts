// Where Tab leads from behind the text: who came to write goes back to the messages.
import { step } from "../conversation/moves.ts";

let isByTab = false;
/** One came by Tab and has written nothing: on the way through the page, not to the messages. */
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

/** Where there are no messages it leads to what follows. */
export function goBack(event: KeyboardEvent): void {
  const { activeElement: before } = document;
  if (event.key !== "Tab" || event.shiftKey || isPassing) return;
  if (!before?.closest(".compose-tools")) return;
  step("down");
  if (document.activeElement !== before) event.preventDefault();
}
