// Ratios of two alternating measurements, so that disturbances of the machine affect both.

export interface Ratio {
  /** Ratio of the medians. */
  ratio: number;
  /** The lowest and highest ratio of single runs. */
  low: number;
  high: number;
  /** The medians. */
  ours: number;
  theirs: number;
}

/**
 * Runs both alternately, and returns their results in order. A first run of both is not counted.
 */
export async function inTurn<T>(
  turns: number,
  ours: () => Promise<T>,
  theirs: () => Promise<T>,
): Promise<{ ours: T[]; theirs: T[] }> {
  const results = { ours: [] as T[], theirs: [] as T[] };
  await ours();
  await theirs();
  for (let round = 0; round < turns; round++) {
    results.ours.push(await ours());
    results.theirs.push(await theirs());
  }
  return results;
}

const SAMPLES_MAX = 100;
/** A single sample of an idle server may coincide with another disturbance. */
const QUIET_SAMPLES = 3;

/**
 * Samples while `work` runs, each with samples of an idle server before it. A first run is not
 * counted.
 */
export async function meanwhile(
  turns: number,
  sample: () => Promise<number>,
  work: (round: number) => Promise<void>,
): Promise<{ ours: number[]; theirs: number[] }> {
  const results = { ours: [] as number[], theirs: [] as number[] };
  await sample();
  for (let round = 0; round <= turns; round++) {
    const quiet: number[] = [];
    while (quiet.length < QUIET_SAMPLES) quiet.push(await sample());
    const during = await samplesDuring(work(round), sample);
    if (round === 0) continue;
    results.ours.push(...during);
    results.theirs.push(...during.map(() => median(quiet)));
  }
  return results;
}

/** The samples that completed during the work. */
async function samplesDuring(
  work: Promise<void>,
  sample: () => Promise<number>,
): Promise<number[]> {
  let isOver = false;
  const done = work.finally(() => (isOver = true));
  const samples: number[] = [];
  while (samples.length < SAMPLES_MAX) {
    const one = await sample();
    if (isOver) break;
    samples.push(one);
  }
  await done;
  if (samples.length === 0) throw new Error("it was over before the others had answers");
  return samples;
}

export function ratioOf<T>(results: { ours: T[]; theirs: T[] }, value: (item: T) => number): Ratio {
  const [ours, theirs] = [results.ours.map(value), results.theirs.map(value)];
  const single = ours.map((item, round) => item / theirs[round]!);
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
