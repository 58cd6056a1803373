/** `bun packaging/addon.ts`, run by each install: mends what the database's addon does wrong. */
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");

/**
 * The message that lmdb 3.5.6 formats into 100 bytes when the disk rejects a write. Two of the
 * sizes at its end may be uninitialized memory, so that the text overflows the buffer and the
 * process may crash. The patched message ends before them.
 */
const MESSAGES = "Attempting to write page at position %u, size %u, blocks %u";
const TOO_MUCH = ", buffer sizes %i %i %i\0";
const ENDED = "\0".repeat(TOO_MUCH.length);

/** The same where nothing is to be mended any more. One that neither is nor can be throws. */
export function mended(addon: Buffer): Buffer {
  const index = addon.indexOf(MESSAGES + TOO_MUCH);
  if (index === -1 && addon.includes(MESSAGES + ENDED)) return addon;
  if (index === -1) throw new Error("the addon is another: look what it says of a refused write");
  const copy = Buffer.from(addon);
  copy.write(ENDED, index + MESSAGES.length, "latin1");
  return copy;
}

/** The system that has other ones checks that they are as they were signed. */
const isElf = (addon: Buffer) => addon.subarray(1, 4).toString("latin1") === "ELF";

export function isMended(file: string): boolean {
  const addon = readFileSync(file);
  return !isElf(addon) || mended(addon) === addon;
}

if (import.meta.main) {
  for (const path of new Bun.Glob("node_modules/@lmdb/*/*.node").scanSync({ cwd: ROOT })) {
    const file = join(ROOT, path);
    if (isMended(file)) continue;
    // Other projects may have the same file, by a link.
    writeFileSync(`${file}.new`, mended(readFileSync(file)), { mode: statSync(file).mode });
    renameSync(`${file}.new`, file);
  }
}
