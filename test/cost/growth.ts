// Measures how much more CPU time a text of four times the length takes.

const COUNTED_FROM_MS = 5;
const RUNS = 5;
const TRIES = 3;

/** Four times, plus half for measurement noise. */
export const GROWTH_MAX = 6;

type SendText = (length: number) => Promise<void>;

/** Returns the smallest growth of several attempts; 0 if the time is too short to measure. */
export async function growthOf(ask: SendText, length: number): Promise<number> {
  let growth = Infinity;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const long_ms = await leastCpu(() => ask(4 * length));
    if (long_ms <= COUNTED_FROM_MS) return 0;
    const short_ms = await leastCpu(() => ask(length));
    growth = Math.min(growth, long_ms / short_ms);
    if (growth <= GROWTH_MAX) return growth;
  }
  return growth;
}

async function leastCpu(run: () => Promise<void>): Promise<number> {
  let min = Infinity;
  for (let index = 0; index < RUNS && min > COUNTED_FROM_MS; index++) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    min = Math.min(min, (user + system) / 1000);
  }
  return min;
}
