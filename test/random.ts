// Random numbers of a run: a new seed in each check, which prints it; equal for equal seeds.
import { chanceOf } from "./store/sample-schema.ts";

/** `TEST_SEED=N bun test …` repeats a run with its seed. */
export const SEED = Number(process.env["TEST_SEED"] ?? 1);

/** Returns different incompressible bytes at each call. */
export function noise(bytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes).map(() => random.below(256));
}

const random = chanceOf(SEED);
