/** Data in each earlier format, as its version wrote it; the files are never regenerated. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "bun:test";

/**
 * Each format contains an organization with an owner, three channels, one of which the owner has
 * left, 41 messages, a reaction and the row of a file. All but format 2 were written by the
 * versions that used them. Format 2 is format 3 with subscriptions stored as in format 2. In
 * formats 5 to 8, all messages are still in the journal, because the server was killed; from format
 * 6 on, with changes of the set of a topic. From format 7 on, only the commit log contains the
 * reaction. Until format 7, the terms of the messages are stored.
 */
export const FORMATS = [1, 2, 3, 4, 5, 6, 7, 8];
export const NEWEST = 8;
const LOGGED_SINCE = 7;
export const OWNER = "olga@example.com";
export const MESSAGES = 41;

const created: string[] = [];
afterEach(() => {
  for (const directory of created.splice(0)) rmSync(directory, { recursive: true, force: true });
});

/** Creates a data directory in this format. */
export async function dataOf(format: number): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "skein-format-"));
  created.push(directory);
  const data = join(directory, "data");
  mkdirSync(data, { mode: 0o700 });
  for (const end of format < LOGGED_SINCE ? ["mdb"] : ["mdb", "mdb-log"]) {
    const packed = await Bun.file(join(import.meta.dir, `format-${format}.${end}.zst`)).bytes();
    writeFileSync(join(data, `data.${end}`), Bun.zstdDecompressSync(packed), { mode: 0o600 });
  }
  return data;
}
