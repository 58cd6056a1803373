// Writes a directory as one tar archive, for any program that reads those.
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

const BLOCK = 512;
const NAME_MAX = 100;
const MODE = "0000600";
const OCTAL_MAX = 8 ** 11;
/** Where each field of a header begins. */
const AT = { name: 0, mode: 100, uid: 108, gid: 116, size: 124, mtime: 136, sum: 148, kind: 156 };
const MAGIC_AT = 257;
const FILE = "0";

/** Its files, in the order of their names but for the folder `last`. */
export async function* archiveOf(directory: string, last: string): AsyncIterable<Uint8Array> {
  const found = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      return join(parentPath, name).slice(directory.length + 1);
    });
  const names = paths.filter((path) => path.includes("/")).toSorted();
  const isLast = (name: string) => name.startsWith(`${last}/`);
  for (const name of [...names.filter((one) => !isLast(one)), ...names.filter(isLast)]) {
    const path = join(directory, name);
    const { size, mtimeMs } = await stat(path);
    yield header(name, size, Math.floor(mtimeMs / 1000));
    yield* createReadStream(path);
    const over = size % BLOCK;
    if (over > 0) yield new Uint8Array(BLOCK - over);
  }
  yield new Uint8Array(2 * BLOCK);
}

function header(name: string, size: number, mtime: number): Buffer {
  if (name.length > NAME_MAX) throw new Error(`${name} is too long for an archive`);
  const block = Buffer.alloc(BLOCK);
  block.write(name, AT.name);
  for (const [at, text] of [
    [AT.mode, MODE],
    [AT.uid, octal(0, 7)],
    [AT.gid, octal(0, 7)],
    [AT.mtime, octal(mtime, 11)],
  ] as const) {
    block.write(text, at);
  }
  if (size < OCTAL_MAX) block.write(octal(size, 11), AT.size);
  else {
    // Larger ones stand in bytes, the first of which says so.
    block.writeUInt8(0x80, AT.size);
    block.writeBigUInt64BE(BigInt(size), AT.size + 4);
  }
  block.write(FILE, AT.kind);
  block.write("ustar\u000000", MAGIC_AT);
  // Its own field counts as blanks.
  block.write(" ".repeat(8), AT.sum);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, AT.sum);
  return block;
}

function octal(n: number, digits: number): string {
  return n.toString(8).padStart(digits, "0");
}
