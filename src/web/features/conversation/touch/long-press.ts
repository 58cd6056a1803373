// Opens the menu of a message on a long press, for touch screens without hovering.
import { current } from "../current-state.ts";
import { openMessageMenu } from "../../messages/menu.ts";
import { elementOf } from "../../../content/elements.ts";
import { showToast } from "../../../ui/toast.tsx";

const LONG_PRESS_MS = 450;
/** If the finger moves farther, it scrolls. */
const MOVE_PIXELS = 10;

/** Elements for which a long press has another meaning. The head of a message has none. */
const OTHER_CONTROLS = `:is(a, button, input, textarea, select, summary, video, audio, img):not(
  .msg-name, .msg-time, .av)`;

let timer: ReturnType<typeof setTimeout> | undefined;
let pressEvent: PointerEvent | undefined;
/** The menu is open, and the finger still touches the screen. */
let isOpened = false;

document.addEventListener(
  "pointerdown",
  (event) => {
    forget();
    isOpened = false;
    const target = elementOf(event.target);
    const row = target?.closest<HTMLElement>(".feed .msg[data-id]");
    // Shows the tooltip that hovering with a pointer shows.
    const tip = target?.closest<HTMLElement>(".react [aria-pressed]")?.title;
    if (event.pointerType === "mouse" || !event.isPrimary || !row) return;
    if (tip === undefined && target?.closest(OTHER_CONTROLS)) return;
    pressEvent = event;
    timer = setTimeout(() => {
      forget();
      if (!row.isConnected) return;
      isOpened = true;
      if (tip) return showToast({ text: tip });
      current.peek()?.shownFeed()?.roving.focus(row);
      const { clientX: left, clientY: top } = event;
      openMessageMenu({ left, top, right: left, bottom: top });
    }, LONG_PRESS_MS);
  },
  { passive: true },
);

document.addEventListener(
  "pointermove",
  ({ clientX, clientY }) => {
    if (!pressEvent) return;
    if (Math.hypot(clientX - pressEvent.clientX, clientY - pressEvent.clientY) > MOVE_PIXELS)
      forget();
  },
  { passive: true },
);
for (const kind of ["pointerup", "pointercancel"] as const) document.addEventListener(kind, forget);

/** Suppresses the browser's own menu, and the click when the finger is lifted. */
for (const kind of ["contextmenu", "click"] as const) {
  document.addEventListener(
    kind,
    (event) => {
      if (!isOpened && !pressEvent) return;
      if (kind === "contextmenu") return event.preventDefault();
      // Key presses count too.
      if (!isOpened || ("detail" in event && event.detail === 0)) return;
      isOpened = false;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
}

function forget(): void {
  clearTimeout(timer);
  pressEvent = undefined;
}
