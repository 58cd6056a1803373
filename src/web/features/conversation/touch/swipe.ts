// Swipe gestures: on a message to reply to it, on an unread row to mark it as read.
import { icon } from "../../../content/node.ts";
import { elementOf } from "../../../content/elements.ts";
import { maybeState } from "../../../store/store.ts";
import { commandOf } from "../../../ui/keys/commands.ts";
import { isLayered } from "../../../ui/layers.ts";
import { markConversationsAsRead } from "../../unread/actions.ts";
import { current } from "../current-state.ts";

/** Distance after which the action runs when the finger is lifted. */
const ACT_PIXELS = 72;
const SWIPE_PIXELS_MAX = 96;
/** A finger that has moved this far swipes or scrolls. */
const MOVE_PIXELS = 10;
/** Swipes that start near an edge of the screen are gestures of the browser or the phone. */
const EDGE_PIXELS = 32;

interface Swipe {
  row: HTMLElement;
  from: PointerEvent;
  sign: SVGSVGElement | undefined;
  /** Pixels towards the start of the line. */
  by: number;
  run: () => void;
}

let swipe: Swipe | undefined;

document.addEventListener(
  "pointerdown",
  (event) => {
    end();
    const { pointerType, isPrimary, clientX, target } = event;
    const isAtEdge = clientX < EDGE_PIXELS || clientX > innerWidth - EDGE_PIXELS;
    if (pointerType !== "touch" || !isPrimary || isAtEdge || isLayered()) return;
    const node = elementOf(target);
    const row = node?.closest<HTMLElement>(".feed .msg[data-id], .list-row[data-key]");
    if (!node || !row || scrollsAcross(node, row)) return;
    const run = row.matches(".msg") ? replyTo(row) : markAsRead(row);
    if (run) swipe = { row, from: event, sign: undefined, by: 0, run };
  },
  { passive: true },
);

document.addEventListener(
  "pointermove",
  ({ clientX, clientY, pointerId }) => {
    if (!swipe || pointerId !== swipe.from.pointerId) return;
    const { row, from } = swipe;
    const mirrored = getComputedStyle(row).direction === "rtl" ? -1 : 1;
    const distance = (from.clientX - clientX) * mirrored;
    const isUpright = Math.abs(from.clientY - clientY) > Math.abs(distance);
    if (!swipe.sign && Math.abs(distance) < MOVE_PIXELS && !isUpright) return;
    if (!swipe.sign && (distance < MOVE_PIXELS || isUpright)) return end();
    swipe.by = distance;
    swipe.sign ??= signIn(row);
    const offset = Math.max(0, Math.min(distance, SWIPE_PIXELS_MAX));
    row.style.setProperty("--swiped", `${-offset * mirrored}px`);
    row.dataset["swiped"] = distance >= ACT_PIXELS ? "ready" : "";
  },
  { passive: true },
);

document.addEventListener("pointerup", () => {
  const action = swipe && swipe.by >= ACT_PIXELS ? swipe.run : undefined;
  end();
  action?.();
});
document.addEventListener("pointercancel", end);

function signIn(row: HTMLElement): SVGSVGElement {
  const swipeIcon = icon(row.matches(".msg") ? "reply" : "check", 20);
  swipeIcon.classList.add("swipe-icon");
  row.append(swipeIcon);
  return swipeIcon;
}

function end(): void {
  if (!swipe) return;
  const { row, sign } = swipe;
  swipe = undefined;
  sign?.remove();
  row.style.removeProperty("--swiped");
  delete row.dataset["swiped"];
}

/** Code and tables that are wider than the screen scroll under the finger. */
function scrollsAcross(node: Element, row: Element): boolean {
  for (
    let element: Element | null = node;
    element && element !== row;
    element = element.parentElement
  ) {
    if (element.scrollWidth > element.clientWidth && getComputedStyle(element).overflowX === "auto")
      return true;
  }
  return false;
}

function replyTo(row: HTMLElement): (() => void) | undefined {
  const command = commandOf("reply");
  if (!command) return undefined;
  return () => {
    current.peek()?.shownFeed()?.roving.focus(row);
    if (command.when?.() ?? true) void command.run();
  };
}

function markAsRead({ dataset: { key } }: HTMLElement): (() => void) | undefined {
  const conversation = key === undefined ? undefined : maybeState()?.unread.conversations.get(key);
  return conversation && (() => markConversationsAsRead([conversation]));
}
