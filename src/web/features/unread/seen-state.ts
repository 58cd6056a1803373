// Decides whether the user has seen a message, by how much was visible and for how long.
import type { VisibleRow } from "../../feed/measure.ts";

/** The end of a message must be visible this long for it to count as seen. */
export const VISIBLE_MS_MIN = 250;

interface RowVisibility {
  /** When its end became visible. */
  endSince: number | undefined;
  hadStart: boolean;
  hadEnd: boolean;
}

export class VisibilityTracker {
  private readonly all = new Map<number, RowVisibility>();

  /** Records what is visible from `at` (milliseconds) on, in a scroller of this height. */
  observe(visibleRows: readonly VisibleRow[], height: number, now: number): void {
    const ids = new Set(visibleRows.map(({ id }) => id));
    for (const id of this.all.keys()) if (!ids.has(id)) this.all.delete(id);
    for (const { id, start, end } of visibleRows) {
      const visibility = this.all.get(id) ?? {
        endSince: undefined,
        hadStart: false,
        hadEnd: false,
      };
      this.all.set(id, visibility);
      if (visibility.endSince !== undefined)
        visibility.hadEnd ||= now - visibility.endSince >= VISIBLE_MS_MIN;
      const isEndIn = end > 0 && end <= height;
      visibility.endSince = isEndIn ? (visibility.endSince ?? now) : undefined;
      // A row that fits the scroller counts as seen when its end is visible.
      visibility.hadStart ||= start >= 0 || end - start <= height;
    }
  }

  /** The messages that were seen by `at`. */
  seenBy(now: number): number[] {
    return [...this.all].flatMap(([id, { endSince, hadStart, hadEnd }]) => {
      const isLong = hadEnd || (endSince !== undefined && now - endSince >= VISIBLE_MS_MIN);
      return hadStart && isLong ? [id] : [];
    });
  }

  /** Whether more messages will count as seen without further scrolling. */
  isWaiting(now: number): boolean {
    return [...this.all.values()].some(
      ({ endSince }) => endSince !== undefined && now - endSince < VISIBLE_MS_MIN,
    );
  }
}
