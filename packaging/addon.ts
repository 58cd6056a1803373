/** `bun packaging/addon.ts`, run by each install: patches a buffer overflow in lmdb's addon. */
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");

/**
 * The message that lmdb 3.5.6 formats into 100 bytes when the disk rejects a write. Two of the
 * sizes at its end may be uninitialized memory, so that the text overflows the buffer and the
 * process may crash. The patched message ends before them.
 */
const MESSAGES = "Attempting to write page at position %u, size %u, blocks %u";
const LOG_TEXT = ", buffer sizes %i %i %i\0";
const ZEROES = "\0".repeat(LOG_TEXT.length);

/** Returns the same object if it is patched already. @throws if it is another version */
export function patched(addon: Buffer): Buffer {
  const index = addon.indexOf(MESSAGES + LOG_TEXT);
  if (index === -1 && addon.includes(MESSAGES + ZEROES)) return addon;
  if (index === -1)
    throw new Error("unknown version of the lmdb addon: check its error text for rejected writes");
  const copy = Buffer.from(addon);
  copy.write(ZEROES, index + MESSAGES.length, "latin1");
  return copy;
}

/** Fields of the header of a 64-bit ELF file, and of its program headers. */
const PROGRAM_HEADERS_AT = 0x20;
const SECTION_HEADERS_AT = 0x28;
const PROGRAM_HEADER_BYTES = 0x36;
const PROGRAM_HEADERS_COUNT = 0x38;
const SECTIONS_COUNT = 0x3c;
const SECTION_NAMES = 0x3e;
const SEGMENT_OFFSET = 0x08;
const SEGMENT_BYTES = 0x20;

/**
 * Returns the addon without what follows its last segment: symbols and debug data, four fifths of
 * the file. The system does not map them, but each start would read them to unpack the addon.
 */
export function withoutDebugData(addon: Buffer): Buffer {
  if (!isElf(addon)) return addon;
  let end = 0;
  for (let index = 0; index < addon.readUInt16LE(PROGRAM_HEADERS_COUNT); index++) {
    const header =
      Number(addon.readBigUInt64LE(PROGRAM_HEADERS_AT)) +
      index * addon.readUInt16LE(PROGRAM_HEADER_BYTES);
    const offset = Number(addon.readBigUInt64LE(header + SEGMENT_OFFSET));
    end = Math.max(end, offset + Number(addon.readBigUInt64LE(header + SEGMENT_BYTES)));
  }
  const copy = Buffer.from(addon.subarray(0, end));
  copy.writeBigUInt64LE(0n, SECTION_HEADERS_AT);
  copy.writeUInt16LE(0, SECTIONS_COUNT);
  copy.writeUInt16LE(0, SECTION_NAMES);
  return copy;
}

/** Only addons for Linux are patched; macOS verifies the signatures of its own. */
const isElf = (addon: Buffer) => addon.subarray(1, 4).toString("latin1") === "ELF";

export function isPatched(file: string): boolean {
  const addon = readFileSync(file);
  return !isElf(addon) || patched(addon) === addon;
}

if (import.meta.main) {
  for (const path of new Bun.Glob("node_modules/@lmdb/*/*.node").scanSync({ cwd: ROOT })) {
    const file = join(ROOT, path);
    if (isPatched(file)) continue;
    // A new file, because other projects may share this one through a hard link.
    writeFileSync(`${file}.new`, patched(readFileSync(file)), { mode: statSync(file).mode });
    renameSync(`${file}.new`, file);
  }
}
