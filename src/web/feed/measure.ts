// The one place where the feed's layout is read, so that it is read once a frame.

/** Pixels of the scroller's height, its content and how far it is scrolled. */
export interface Extent {
  top: number;
  height: number;
  content: number;
}

export function extentOf(scroller: HTMLElement): Extent {
  const { scrollTop, clientHeight, scrollHeight } = scroller;
  return { top: scrollTop, height: clientHeight, content: scrollHeight };
}

/** Pixels from the scroller's top edge to the node's; below the edge is positive. */
export function offsetOf(scroller: HTMLElement, node: HTMLElement): number {
  return node.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
}

export interface Seen {
  id: number;
  /** Pixels from the scroller's top edge. */
  start: number;
  end: number;
}

/** The rows that are in sight, wholly or in part, from top to bottom. */
export function rowsInSight(scroller: HTMLElement, rows: readonly HTMLElement[]): Seen[] {
  const edge = scroller.getBoundingClientRect();
  const seen: Seen[] = [];
  for (let at = firstBelow(rows, edge.top); at < rows.length; at++) {
    const { top, bottom } = rows[at]!.getBoundingClientRect();
    if (top >= edge.bottom) break;
    seen.push({
      id: Number(rows[at]!.dataset["id"]),
      start: top - edge.top,
      end: bottom - edge.top,
    });
  }
  return seen;
}

/** Rows follow each other down the page, so the first in sight is found by halving. */
function firstBelow(rows: readonly HTMLElement[], top: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.getBoundingClientRect().bottom > top) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Pixels; read together, before anything is written. */
export function heightsOf(nodes: readonly HTMLElement[]): number[] {
  return nodes.map((node) => node.getBoundingClientRect().height);
}
