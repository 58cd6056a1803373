// The chance of a run: another in each check, which prints it, and the same for the same seed.
import { chanceOf } from "./store/sample.ts";

/** `TEST_SEED=N bun test …` has the chances of another run again. */
export const SEED = Number(process.env["TEST_SEED"] ?? 1);

/** Bytes that nothing makes smaller; each call gives others. */
export function noise(bytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes).map(() => chance.below(256));
}

const chance = chanceOf(SEED);
