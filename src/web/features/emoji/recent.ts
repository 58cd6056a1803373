// Which emoji one uses, kept on this device.

export const USED_EMOJI = "skein-emoji-used";
const KEPT_MAX = 100;

/** Use counts by code. A new emoji starts with the count of an occasionally used one. */
type Used = Record<string, number>;

export function noteUsed(code: string): void {
  const used = usedNow();
  used[code] = (used[code] ?? 0) + 1;
  const kept = Object.entries(used).sort(([, a], [, b]) => b - a);
  try {
    localStorage.setItem(USED_EMOJI, JSON.stringify(Object.fromEntries(kept.slice(0, KEPT_MAX))));
  } catch {
    // If storage is full or denied, nothing is remembered.
  }
}

const USUAL = ["1f44d", "1f389", "1f440", "2764", "1f64f", "2705", "1f604", "1f331", "2615"];

/** The most used first; then those that most people use. */
export function mostUsed(count: number): string[] {
  const own = Object.entries(usedNow()).sort(([, a], [, b]) => b - a);
  return [...new Set([...own.map(([code]) => code), ...USUAL])].slice(0, count);
}

function usedNow(): Used {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(USED_EMOJI) ?? "{}");
    const entries = Object.entries(kept as Used).filter(([, times]) => Number.isFinite(times));
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}
