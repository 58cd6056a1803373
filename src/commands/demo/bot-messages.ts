// Messages of bots in the sample organization: builds and sensor readings.

/** Deterministic numbers, so that screenshots in the documentation are reproducible. */
export class Numbers {
  constructor(private seed: number) {}

  /** Returns a number from 0 to below `end`. */
  below(end: number): number {
    this.seed = (Math.imul(this.seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.seed / 2 ** 32) * end);
  }
}

const HASH_DIGITS = 7;
const BRANCHES = ["main", "main", "main", "dew-point", "small-machines"] as const;

export function buildLine(numbers: Numbers): { topic: string; content: string } {
  const topic = BRANCHES[numbers.below(BRANCHES.length)]!;
  const hash = Array.from({ length: HASH_DIGITS }, () => numbers.below(16).toString(16)).join("");
  const duration = `${3 + numbers.below(3)} min ${String(numbers.below(60)).padStart(2, "0")} s`;
  const isRed = numbers.below(12) === 0;
  const content = isRed
    ? `❌ \`${hash}\` failed on arm64 after ${duration}`
    : `✅ \`${hash}\` passed on x64 and arm64 in ${duration}`;
  return { topic, content };
}

const MASTS_MAX = 24;

export function mastLine(numbers: Numbers): string {
  const tenths = (end: number) => (numbers.below(end * 10) / 10).toFixed(1);
  const mast = 1 + numbers.below(MASTS_MAX);
  const humidity = 55 + numbers.below(35);
  const air = `${tenths(6)} °C, humidity ${humidity} %, wind ${tenths(3)} m/s`;
  return `**Mast ${mast}**: ${air}. No alarm.`;
}
