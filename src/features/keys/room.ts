// Which of somebody's keys or sessions end, so that there is room for one more.

/** As many as that within an hour are a burst. */
export const BURST = { count: 10, seconds: 3_600 };

interface Lasting {
  readonly created: number;
  readonly last_used: number;
}

/**
 * Those that were unused longest; of a burst its newest, so that who makes many in a row pushes out
 * none that somebody had before. `rows` in the order of their making; `now` in seconds.
 */
export function beyond<R extends Lasting>(rows: readonly R[], most: number, now: number): R[] {
  const excess = rows.length - most + 1;
  if (excess <= 0) return [];
  const fresh = rows.filter(({ created }) => now - created < BURST.seconds);
  if (fresh.length >= BURST.count) return fresh.slice(-excess);
  return rows.toSorted((a, b) => a.last_used - b.last_used).slice(0, excess);
}
