// Wheel, pinch and drag on a picture.
import { boxOf } from "../../ui/box.ts";
import { panned, STEP, zoomed, type Zoom } from "./zoom.ts";

interface Point {
  x: number;
  y: number;
}

/** Listens to fingers, and gives what ends that. */
export function listen(
  room: HTMLElement,
  change: (next: (zoom: Zoom) => Zoom) => void,
): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  const fingers = new Map<number, Point>();
  const fromMiddle = ({ x, y }: Point): Point => {
    const { left, right, top, bottom } = boxOf(room);
    return { x: x - (left + right) / 2, y: y - (top + bottom) / 2 };
  };
  room.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const by = event.deltaY < 0 ? STEP : 1 / STEP;
      change((zoom) => zoomed(zoom, by, fromMiddle(event)));
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
        change((zoom) => panned(zoom, { x: after.x - before.x, y: after.y - before.y }));
        return;
      }
      const by = distance(after, other) / Math.max(1, distance(before, other));
      const middle = { x: (after.x + other.x) / 2, y: (after.y + other.y) / 2 };
      change((zoom) => zoomed(zoom, by, fromMiddle(middle)));
    },
    { signal },
  );
  for (const kind of ["pointerup", "pointercancel", "pointerleave"] as const) {
    room.addEventListener(kind, ({ pointerId }) => fingers.delete(pointerId), { signal });
  }
  return () => abort.abort();
}

const pointOf = ({ clientX, clientY }: PointerEvent): Point => ({ x: clientX, y: clientY });
const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);
