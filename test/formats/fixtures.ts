/** Data as versions of each format left it; nobody makes these files again. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "bun:test";

/**
 * An organization with an owner, three channels of which one was left, 41 messages, a reaction and
 * the row of a file. Formats 1, 3 and 4 were written by their own versions; 2 is 3 with its
 * subscriptions where that version had them.
 */
export const FORMATS = [1, 2, 3, 4];
export const NEWEST = 4;
export const OWNER = "olga@example.com";
export const MESSAGES = 41;

const made: string[] = [];
afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

/** A data directory with it. */
export async function dataOf(format: number): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "skein-format-"));
  made.push(directory);
  const data = join(directory, "data");
  mkdirSync(data, { mode: 0o700 });
  const packed = await Bun.file(join(import.meta.dir, `format-${format}.mdb.zst`)).bytes();
  writeFileSync(join(data, "data.mdb"), Bun.zstdDecompressSync(packed), { mode: 0o600 });
  return data;
}
