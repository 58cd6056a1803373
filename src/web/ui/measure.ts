// Measures positions on the screen, to place layers beside elements.
import type { Box } from "./anchor-box.ts";

/** Pixels between a layer and its element, and from the edges of the screen. */
const GAP = 4;
const MARGIN = 8;

/** Places a layer below the box, or above it if there is more room, always within the screen. */
export function positionBeside(node: HTMLElement, box: Box): void {
  const { width, height } = node.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const below = clientHeight - box.bottom;
  const isBelow = below >= height + GAP + MARGIN || below >= box.top;
  const top = isBelow ? box.bottom + GAP : box.top - height - GAP;
  // If it fits neither below nor above, it is placed at the side, never under the pointer.
  const isTooHigh = Math.max(below, box.top) < height + GAP + MARGIN;
  const aside = isTooHigh ? box.right - box.left + GAP : 0;
  // Aligns layers of elements near the end of a row with their end edge.
  const isAtRight = box.left + box.right > clientWidth;
  const left = isAtRight ? box.right - width - aside : box.left + aside;
  const style = node.style;
  style.setProperty("top", `${clamp(top, MARGIN, clientHeight - height - MARGIN)}px`);
  style.setProperty("left", `${clamp(left, MARGIN, clientWidth - width - MARGIN)}px`);
}

const clamp = (value: number, low: number, high: number) =>
  Math.max(low, Math.min(value, Math.max(low, high)));

/**
 * Returns the heights of a heading and a row in a list. If the list has none, returns the earlier
 * values.
 */
export function heightsIn(list: Element, before: { head: number; row: number }) {
  const heightOf = (selector: string) => {
    const node = list.querySelector(selector);
    return node ? node.getBoundingClientRect().height : 0;
  };
  return { head: heightOf(".list-head") || before.head, row: heightOf(".list-row") || before.row };
}

/** The visible part of the list. */
export function visibleRange(scroller: Element, list: Element): { top: number; height: number } {
  const top = scroller.getBoundingClientRect().top - list.getBoundingClientRect().top;
  return { top, height: scroller.clientHeight };
}

/** Scrolls as little as possible to make the item visible, whether it is rendered or not. */
export function revealAt(
  scroller: Element,
  list: Element,
  offsets: Float64Array,
  index: number,
): void {
  const { top, height } = visibleRange(scroller, list);
  const [from, to] = [offsets[index] ?? 0, offsets[index + 1] ?? 0];
  const bottom = top + height;
  // For the first row, also shows the content above the list.
  if (index === 0) scroller.scrollTop = 0;
  else if (from < top + MARGIN) scroller.scrollTop += from - top - MARGIN;
  else if (to > bottom - MARGIN) scroller.scrollTop += to - bottom + MARGIN;
}

/** Scrolls a list as little as possible to make one of its nodes visible. */
export function revealIn(list: Element, node: Element): void {
  const [listBox, inside] = [list.getBoundingClientRect(), node.getBoundingClientRect()];
  if (inside.top < listBox.top) list.scrollTop -= listBox.top - inside.top + MARGIN;
  else if (inside.bottom > listBox.bottom)
    list.scrollTop += inside.bottom - listBox.bottom + MARGIN;
}

/** Reading and setting the scroll position. */
export const topOf = (scroller: Element): number => scroller.scrollTop;

export function scrollTo(scroller: Element, top: number): void {
  scroller.scrollTop = top;
}
