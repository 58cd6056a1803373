// Random numbers of a run: a new seed in each check, which prints it; equal for equal seeds.
import { createCipheriv, createHash } from "node:crypto";

/** `TEST_SEED=N bun test …` repeats a run with its seed. */
export const SEED = Number(process.env["TEST_SEED"] ?? 1);

/** Returns different incompressible bytes at each call. */
export function noise(bytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(keyStream.update(new Uint8Array(bytes)));
}

const key = createHash("sha256").update(String(SEED)).digest();
const keyStream = createCipheriv("aes-128-ctr", key.subarray(0, 16), key.subarray(16));
