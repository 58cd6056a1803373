// Texts of 10,000 characters that are hard on patterns, wherever a request takes a text.
import { Asker } from "../../test/cost/asker.ts";
import { type Place, PLACES } from "../../test/cost/requests.ts";
import { SHAPES } from "../../test/cost/shapes.ts";
import { cpuOf } from "../cpu.ts";
import { median } from "../ratio.ts";
import { type Line, within } from "../row.ts";

/** In an address or a header less has room. */
const LENGTH = 10_000;
/** What a place costs anyway: where a password is checked, a good deal. */
const SHORT = 100;
const TURNS = 7;
/** Of the costliest, measured again without what a first time costs. */
const COSTLIEST = 12;

interface Text {
  readonly place: Place;
  readonly make: (length: number) => string;
}

export async function texts(): Promise<Line[]> {
  const asker = new Asker();
  const all: (Text & { ms: number })[] = [];
  for (const place of PLACES) {
    for (const [, make] of SHAPES) {
      await asker.turn();
      all.push({ place, make, ms: await beyondShort(asker, { place, make }) });
    }
  }
  all.sort((a, b) => b.ms - a.ms);
  const again: number[] = [];
  for (const text of all.slice(0, COSTLIEST)) {
    await asker.turn();
    const took: number[] = [];
    for (let turn = 0; turn < TURNS; turn++) took.push(await beyondShort(asker, text));
    again.push(median(took));
  }
  await asker.close();
  const what = "the costliest 10,000 characters in any request, CPU beyond a short text";
  return [within({ what, goal: 50, unit: "ms" }, Math.max(...again), again)];
}

async function beyondShort(asker: Asker, { place, make }: Text): Promise<number> {
  const cpu = async (length: number) => {
    const before = cpuOf(process.pid);
    await asker.ask(place, make(length));
    return cpuOf(process.pid) - before;
  };
  return (await cpu(Math.min(LENGTH, 4 * place.length))) - (await cpu(SHORT));
}
