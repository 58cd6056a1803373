// The only module that reads the feed's layout, so that it is read once per frame.

/** The scroller's height, content height and scroll position, in pixels. */
export interface ScrollExtent {
  top: number;
  height: number;
  content: number;
}

export function extentOf(scroller: HTMLElement): ScrollExtent {
  const { scrollTop, clientHeight, scrollHeight } = scroller;
  return { top: scrollTop, height: clientHeight, content: scrollHeight };
}

/** Distance from the scroller's top edge to the node's, in pixels; positive below the edge. */
export function offsetOf(scroller: HTMLElement, node: HTMLElement): number {
  return node.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
}

export interface VisibleRow {
  id: number;
  /** Pixels from the scroller's top edge. */
  start: number;
  end: number;
}

/** The completely or partly visible rows, from top to bottom. */
export function visibleRowsIn(scroller: HTMLElement, rows: readonly HTMLElement[]): VisibleRow[] {
  const edge = scroller.getBoundingClientRect();
  const visibleRows: VisibleRow[] = [];
  for (let index = firstBelow(rows, edge.top); index < rows.length; index++) {
    const row = rows[index]!;
    const { top, bottom } = row.getBoundingClientRect();
    if (top >= edge.bottom) break;
    visibleRows.push({
      id: Number(row.dataset["id"]),
      start: top - edge.top,
      end: bottom - edge.top,
    });
  }
  return visibleRows;
}

/** Rows are in order, so binary search finds the first visible one. */
function firstBelow(rows: readonly HTMLElement[], top: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.getBoundingClientRect().bottom > top) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** In pixels; all are read before anything is written. */
export function heightsOf(nodes: readonly HTMLElement[]): number[] {
  return nodes.map((node) => node.getBoundingClientRect().height);
}
