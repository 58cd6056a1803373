// Selects the keys or sessions of a user to end when there are too many.

/** Creating this many keys within an hour counts as a burst. */
const BURST = { count: 10, seconds: 3_600 };

interface KeyRecord {
  readonly created: number;
  readonly last_used: number;
}

/**
 * Chooses the keys to remove: the ones unused for longest, or the newest ones of a burst, so that
 * creating many keys does not remove older ones. `rows` in order of creation, `now` in seconds.
 */
export function keysToRemove<R extends KeyRecord>(
  rows: readonly R[],
  max: number,
  now: number,
): R[] {
  const excess = rows.length - max + 1;
  if (excess <= 0) return [];
  const fresh = rows.filter(({ created }) => now - created < BURST.seconds);
  if (fresh.length >= BURST.count) return fresh.slice(-excess);
  return rows.toSorted((a, b) => a.last_used - b.last_used).slice(0, excess);
}
