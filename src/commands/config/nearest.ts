// Of names that are known, the one that somebody meant who wrote another.

/** That many letters may be wrong, lacking or too many, of names that are long enough. */
const SLIPS_MAX = 3;

/** Words to add to a complaint: `; did you mean --listen?`, or none. */
export function nearest(name: string, known: readonly string[], before = ""): string {
  const most = Math.min(SLIPS_MAX, Math.floor(name.length / 2));
  const ranked = known
    .map((other) => ({ other, slips: slipsBetween(name, other) }))
    .filter(({ slips }) => slips <= most)
    .sort((a, b) => a.slips - b.slips);
  return ranked.length === 0 ? "" : `; did you mean ${before}${ranked[0]!.other}?`;
}

/** The distance of Levenshtein, by rows of its table. */
function slipsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [down, letter] of [...from].entries()) {
    const next = [down + 1];
    for (let at = 0; at < to.length; at += 1) {
      const swapped = row[at]! + (to[at] === letter ? 0 : 1);
      next.push(Math.min(swapped, row[at + 1]! + 1, next[at]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
