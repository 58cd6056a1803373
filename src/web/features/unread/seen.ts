// Which messages a person has had before their eyes, out of what was in sight and when.
import type { Seen } from "../../feed/measure.ts";

/** A message's end stays in sight so long before it counts as seen. */
export const SEEN_MS = 250;

interface Sight {
  /** Since when its end is in sight. */
  endSince: number | undefined;
  hadStart: boolean;
  hadEnd: boolean;
}

export class Sights {
  private readonly all = new Map<number, Sight>();

  /** Records what is visible from `at` (milliseconds) on, in a scroller of this height. */
  see(seen: readonly Seen[], height: number, at: number): void {
    const ids = new Set(seen.map(({ id }) => id));
    for (const id of this.all.keys()) if (!ids.has(id)) this.all.delete(id);
    for (const { id, start, end } of seen) {
      const known = this.all.get(id) ?? { endSince: undefined, hadStart: false, hadEnd: false };
      this.all.set(id, known);
      if (known.endSince !== undefined) known.hadEnd ||= at - known.endSince >= SEEN_MS;
      const isEndIn = end > 0 && end <= height;
      known.endSince = isEndIn ? (known.endSince ?? at) : undefined;
      // A row that fits the scroller counts as seen when its end is visible.
      known.hadStart ||= start >= 0 || end - start <= height;
    }
  }

  /** The messages that were seen by `at`. */
  seenBy(at: number): number[] {
    return [...this.all].flatMap(([id, { endSince, hadStart, hadEnd }]) => {
      const isLong = hadEnd || (endSince !== undefined && at - endSince >= SEEN_MS);
      return hadStart && isLong ? [id] : [];
    });
  }

  /** Whether time alone will have more of them seen. */
  isWaiting(at: number): boolean {
    return [...this.all.values()].some(
      ({ endSince }) => endSince !== undefined && at - endSince < SEEN_MS,
    );
  }
}
