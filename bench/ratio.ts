// Ratios of two alternating measurements, so that disturbances of the machine affect both.

export interface Ratio {
  /** Ratio of the medians. */
  ratio: number;
  /** The lowest and highest ratio of single runs. */
  low: number;
  high: number;
  /** The medians. */
  candidate: number;
  baseline: number;
}

/**
 * Runs both alternately, and returns their results in order. A first run of both is not counted.
 */
export async function measureAlternately<T>(
  rounds: number,
  candidate: () => Promise<T>,
  baseline: () => Promise<T>,
): Promise<{ candidate: T[]; baseline: T[] }> {
  const results = { candidate: [] as T[], baseline: [] as T[] };
  await candidate();
  await baseline();
  for (let round = 0; round < rounds; round++) {
    results.candidate.push(await candidate());
    results.baseline.push(await baseline());
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
export async function sampleMeanwhile(
  rounds: number,
  sample: () => Promise<number>,
  work: (round: number) => Promise<void>,
): Promise<{ candidate: number[]; baseline: number[] }> {
  const results = { candidate: [] as number[], baseline: [] as number[] };
  await sample();
  for (let round = 0; round <= rounds; round++) {
    const undisturbed: number[] = [];
    while (undisturbed.length < QUIET_SAMPLES) undisturbed.push(await sample());
    const samplesUnderLoad = await samplesDuring(work(round), sample);
    if (round === 0) continue;
    results.candidate.push(...samplesUnderLoad);
    results.baseline.push(...samplesUnderLoad.map(() => median(undisturbed)));
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
    const duration = await sample();
    if (isOver) break;
    samples.push(duration);
  }
  await done;
  if (samples.length === 0) throw new Error("it was over before the others had answers");
  return samples;
}

export function ratioOf<T>(
  results: { candidate: T[]; baseline: T[] },
  value: (item: T) => number,
): Ratio {
  const [candidate, baseline] = [results.candidate.map(value), results.baseline.map(value)];
  const single = candidate.map((item, round) => item / baseline[round]!);
  return {
    ratio: median(candidate) / median(baseline),
    low: Math.min(...single),
    high: Math.max(...single),
    candidate: median(candidate),
    baseline: median(baseline),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
