// Whatever people do, in any order: who may see, hear and do what is as the oracle says.
import { expect, test } from "bun:test";
import { play } from "./oracle/play.ts";

const STEPS = Number(process.env["ORACLE_STEPS"] ?? 300);
const SEEDS = (process.env["ORACLE_SEEDS"] ?? "1,2,3,4,5").split(",").map(Number);

test.each(SEEDS)(
  "seed %d: the server and the oracle agree",
  async (seed) => {
    const { allowed, refused } = await play(seed, STEPS);
    expect(allowed).toBeGreaterThan(STEPS / 5);
    expect(refused).toBeGreaterThan(STEPS / 10);
  },
  60_000,
);
