// Suggests the known name that is closest to a misspelt one.

/** Maximum edit distance, for names that are long enough. */
const EDIT_DISTANCE_MAX = 3;

/** Returns an addition to an error message, such as `; did you mean --listen?`, or "". */
export function nearestName(name: string, candidates: readonly string[], before = ""): string {
  const max = Math.min(EDIT_DISTANCE_MAX, Math.floor(name.length / 2));
  const ranked = candidates
    .map((other) => ({ other, slips: slipsBetween(name, other) }))
    .filter(({ slips }) => slips <= max)
    .sort((a, b) => a.slips - b.slips);
  return ranked.length === 0 ? "" : `; did you mean ${before}${ranked[0]!.other}?`;
}

/** Levenshtein distance. */
function slipsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [down, character] of [...from].entries()) {
    const next = [down + 1];
    for (let index = 0; index < to.length; index += 1) {
      const swapped = row[index]! + (to[index] === character ? 0 : 1);
      next.push(Math.min(swapped, row[index + 1]! + 1, next[index]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
