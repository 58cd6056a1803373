// Wheel, pinch, drag, swipe and tap gestures on an image.
import { boxOf } from "../../ui/anchor-box.ts";
import { pan, STEP, UNZOOMED, zoomBy, type Zoom } from "./zoom.ts";

interface Point {
  x: number;
  y: number;
}

interface GestureHandlers {
  change: (next: (zoom: Zoom) => Zoom) => void;
  /** Goes to the next image on the right (1) or left (-1). */
  onSwipe: (delta: number) => void;
  /** Called after a swipe up or down, which closes the image. */
  away: () => void;
  /** Called after a tap beside the image. */
  onLeave: () => void;
}

/** Distances in pixels from which a touch counts as a movement and as a swipe. */
const MOVE_PIXELS = 6;
const SWIPE_PIXELS = 48;
const DOUBLE_MS = 300;
/** Zoom factor after a tap on an image that is fully visible. */
const DOUBLE_TAP_SCALE = 2;

/** Listens to gestures, and returns a function that stops. */
export function listenForGestures(room: HTMLElement, handlers: GestureHandlers): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  const { change } = handlers;
  const fingers = new Map<number, Point>();
  const fromMiddle = ({ x, y }: Point): Point => {
    const { left, right, top, bottom } = boxOf(room);
    return { x: x - (left + right) / 2, y: y - (top + bottom) / 2 };
  };
  room.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const delta = event.deltaY < 0 ? STEP : 1 / STEP;
      change((zoom) => zoomBy(zoom, delta, fromMiddle(event)));
    },
    { signal, passive: false },
  );
  room.addEventListener("pointerdown", (event) => fingers.set(event.pointerId, pointOf(event)), {
    signal,
  });
  room.addEventListener(
    "pointermove",
    (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const after = pointOf(event);
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
      fingers.set(event.pointerId, after);
      if (!other) {
        change((zoom) => pan(zoom, { x: after.x - before.x, y: after.y - before.y }));
        return;
      }
      const delta = distance(after, other) / Math.max(1, distance(before, other));
      const middle = { x: (after.x + other.x) / 2, y: (after.y + other.y) / 2 };
      change((zoom) => zoomBy(zoom, delta, fromMiddle(middle)));
    },
    { signal },
  );
  for (const kind of ["pointerup", "pointercancel", "pointerleave"] as const) {
    room.addEventListener(kind, ({ pointerId }) => fingers.delete(pointerId), { signal });
  }
  listenForPresses(room, handlers, fromMiddle, signal);
  return () => abort.abort();
}

/** Listens to one finger at a time: swipes and taps. */
function listenForPresses(
  room: HTMLElement,
  { change, onSwipe: swiped, away, onLeave }: GestureHandlers,
  fromMiddle: (point: Point) => Point,
  signal: AbortSignal,
): void {
  let start: Point | undefined;
  let isPress = true;
  let isFinger = false;
  let pressedAt = -DOUBLE_MS;
  room.addEventListener(
    "pointerdown",
    (event) => {
      start = event.isPrimary ? pointOf(event) : undefined;
      isPress = event.isPrimary;
      isFinger = event.pointerType !== "mouse";
    },
    { signal },
  );
  room.addEventListener(
    "pointermove",
    (event) => {
      if (start && distance(pointOf(event), start) > MOVE_PIXELS) isPress = false;
    },
    { signal },
  );
  room.addEventListener(
    "pointerup",
    (event) => {
      if (!start || event.pointerType === "mouse") return;
      const across = event.clientX - start.x;
      const [level, upright] = [Math.abs(across), Math.abs(event.clientY - start.y)];
      if (level > 2 * upright && level > SWIPE_PIXELS) swiped(across < 0 ? 1 : -1);
      if (upright > 2 * level && upright > SWIPE_PIXELS) away();
    },
    { signal },
  );
  room.addEventListener(
    "click",
    (event) => {
      // A double tap has the same effect as a single one.
      const isAgain = isFinger && event.timeStamp - pressedAt < DOUBLE_MS;
      pressedAt = event.timeStamp;
      if (!isPress || isAgain) return;
      if (!(event.target instanceof HTMLImageElement)) return onLeave();
      change((zoom) =>
        zoom.scale > 1 ? UNZOOMED : zoomBy(zoom, DOUBLE_TAP_SCALE, fromMiddle(event)),
      );
    },
    { signal },
  );
}

const pointOf = ({ clientX, clientY }: PointerEvent): Point => ({ x: clientX, y: clientY });
const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);
