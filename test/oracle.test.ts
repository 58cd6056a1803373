// Random actions of users: visibility, events and permissions match the oracle.
import { expect, test } from "bun:test";
import { seedsOf } from "./repetitions.ts";
import { runActions } from "./oracle/run.ts";

const STEPS = 300;

test.each(seedsOf("actions"))("seed %d: the server and the oracle agree", async (seed) => {
  const { allowed, refused } = await runActions(seed, STEPS);
  expect(allowed).toBeGreaterThan(STEPS / 5);
  expect(refused).toBeGreaterThan(STEPS / 10);
});
