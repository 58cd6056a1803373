// The mutation queue in a model of a browser: lost requests, several tabs, and clocks set back.
import { afterAll, expect, spyOn, test } from "bun:test";
import { countOf } from "../repetitions.ts";
import { SEED } from "../random.ts";
import { chanceOf } from "../store/sample-schema.ts";
import { faultsOf } from "./mutations/check.ts";
import { MutationRun } from "./mutations/play.ts";
import { makeQueue } from "./mutations/tested-queue.ts";

const reported = spyOn(globalThis, "reportError").mockImplementation(() => {});
afterAll(() => reported.mockRestore());

for (let index = 0; index < countOf("mutations"); index++) {
  const seed = SEED + index;
  test(`performs each mutation once and in order, with seed ${seed}`, async () => {
    const play = new MutationRun(makeQueue, chanceOf(seed), seed);
    await play.run();
    const faults = faultsOf(play);
    if (faults.length > 0) console.log([...play.log, ...play.browser.requests].join("\n"));
    expect(faults).toEqual([]);
    expect(reported.mock.calls).toEqual([]);
  });
}
