// Texts of 10,000 characters that are slow for patterns, in every parameter that accepts text.
import { Requester } from "../../test/cost/request-runner.ts";
import { type ParameterLocation, LOCATIONS } from "../../test/cost/requests.ts";
import { SHAPES } from "../../test/cost/shapes.ts";
import { cpuOf } from "../cpu.ts";
import { median } from "../ratio.ts";
import { type Line, lineWithin } from "../row.ts";

/** URLs and headers allow less. */
const LENGTH = 10_000;
/** Baseline cost of the same request; high where a password is verified. */
const SHORT = 100;
const ROUNDS = 7;
/** Number of the slowest ones that are measured again without warm-up costs. */
const COSTLIEST = 12;

interface Text {
  readonly location: ParameterLocation;
  readonly make: (length: number) => string;
}

export async function texts(): Promise<Line[]> {
  const requester = new Requester();
  const all: (Text & { ms: number })[] = [];
  for (const place of LOCATIONS) {
    for (const [, make] of SHAPES) {
      await requester.nextTick();
      all.push({
        location: place,
        make,
        ms: await cpuBeyondShort(requester, { location: place, make }),
      });
    }
  }
  all.sort((a, b) => b.ms - a.ms);
  const repeated: number[] = [];
  for (const text of all.slice(0, COSTLIEST)) {
    await requester.nextTick();
    const durations: number[] = [];
    for (let round = 0; round < ROUNDS; round++)
      durations.push(await cpuBeyondShort(requester, text));
    repeated.push(median(durations));
  }
  await requester.close();
  const label = "the costliest 10,000 characters in any request, CPU beyond a short text";
  return [lineWithin({ label, goal: 50, unit: "ms" }, Math.max(...repeated), repeated)];
}

async function cpuBeyondShort(
  requester: Requester,
  { location: place, make }: Text,
): Promise<number> {
  const cpu = async (length: number) => {
    const before = cpuOf(process.pid);
    await requester.ask(place, make(length));
    return cpuOf(process.pid) - before;
  };
  return (await cpu(Math.min(LENGTH, 4 * place.length))) - (await cpu(SHORT));
}
