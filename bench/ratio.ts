// Ratios: two things measured in turn, so that what disturbs the machine disturbs both.

export interface Ratio {
  /** Of the medians. */
  ratio: number;
  /** The least and the greatest of the single turns. */
  low: number;
  high: number;
  /** The medians. */
  ours: number;
  theirs: number;
}

/** A B A B …: what each gave, in order. A first turn of both is not counted. */
export async function inTurn<T>(
  turns: number,
  ours: () => Promise<T>,
  theirs: () => Promise<T>,
): Promise<{ ours: T[]; theirs: T[] }> {
  const gave = { ours: [] as T[], theirs: [] as T[] };
  await ours();
  await theirs();
  for (let turn = 0; turn < turns; turn++) {
    gave.ours.push(await ours());
    gave.theirs.push(await theirs());
  }
  return gave;
}

export function ratioOf<T>(gave: { ours: T[]; theirs: T[] }, value: (one: T) => number): Ratio {
  const [ours, theirs] = [gave.ours.map(value), gave.theirs.map(value)];
  const single = ours.map((one, turn) => one / theirs[turn]!);
  return {
    ratio: median(ours) / median(theirs),
    low: Math.min(...single),
    high: Math.max(...single),
    ours: median(ours),
    theirs: median(theirs),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
