// Writes a folder as a zip file, which every desktop opens; large archives use zip64.
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { crc32, createDeflateRaw } from "node:zlib";
import { filesIn } from "./files-in.ts";

const PIECE_BYTES = 256 * 1024;
/** From this value on, sizes and positions are stored in 64 bits. */
const BITS_32 = 0xffff_ffff;
const BITS_16 = 0xffff;
const VERSION = 45;
const DEFLATED = 8;
/** Names are UTF-8, and sizes follow the bytes, because they are known only then. */
const FLAGS = 0x0800 | 0x0008;
const UNIX_FILE = ((0o100_600 << 16) >>> 0) as number;
const OWNER_ONLY = 0o600;

interface WrittenEntry {
  readonly name: Buffer;
  readonly crc: number;
  readonly compressed: number;
  readonly size: number;
  readonly offset: number;
}

/** `root`: the folder in the archive. Files must be smaller than 4 GiB. */
export async function zipFolder(folder: string, to: string, root: string, seconds: number) {
  const file = await open(to, "wx", OWNER_ONLY);
  let offset = 0;
  const write = async (bytes: Uint8Array) => {
    for (let done = 0; done < bytes.length;) {
      done += (await file.write(bytes, done, bytes.length - done)).bytesWritten;
    }
    offset += bytes.length;
  };
  try {
    const entries: WrittenEntry[] = [];
    for await (const path of filesIn(folder)) {
      const name = Buffer.from(`${root}/${path}`);
      const start = offset;
      await write(localHeader(name, seconds));
      const facts = await deflated(join(folder, path), write);
      await write(descriptor(facts));
      entries.push({ name, offset: start, ...facts });
    }
    const directory = offset;
    for (const entry of entries) await write(centralHeader(entry, seconds));
    for (const piece of endOf(entries.length, directory, offset)) await write(piece);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function deflated(path: string, write: (bytes: Uint8Array) => Promise<void>) {
  if ((await stat(path)).size >= BITS_32) throw new Error(`${path} is larger than 4 GiB`);
  let [crc, size, compressed] = [0, 0, 0];
  const source = createReadStream(path, { highWaterMark: PIECE_BYTES });
  const deflate = createDeflateRaw();
  source.on("data", (piece: Uint8Array) => {
    crc = crc32(piece, crc);
    size += piece.length;
  });
  source.on("error", (error) => deflate.destroy(error));
  source.pipe(deflate);
  for await (const piece of deflate as AsyncIterable<Uint8Array>) {
    compressed += piece.length;
    await write(piece);
  }
  return { crc, size, compressed };
}

/** Bytes from numbers: 2 and 4 bytes each, in the order of the format. */
function packed(...fields: (readonly [bytes: 2 | 4 | 8, value: number])[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let offset = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), offset);
    else buffer.writeUIntLE(value, offset, bytes);
    offset += bytes;
  }
  return buffer;
}

function localHeader(name: Buffer, seconds: number): Buffer {
  const [date, time] = dosTime(seconds);
  const head = packed(
    ...([
      [4, 0x0403_4b50],
      [2, VERSION],
      [2, FLAGS],
      [2, DEFLATED],
      [2, time],
      [2, date],
    ] as const),
    ...([
      [4, 0],
      [4, 0],
      [4, 0],
      [2, name.length],
      [2, 0],
    ] as const),
  );
  return Buffer.concat([head, name]);
}

const descriptor = ({ crc, compressed, size }: Pick<WrittenEntry, "crc" | "compressed" | "size">) =>
  packed([4, 0x0807_4b50], [4, crc], [4, compressed], [4, size]);

function centralHeader(
  { name, crc, compressed, size, offset }: WrittenEntry,
  seconds: number,
): Buffer {
  const [date, time] = dosTime(seconds);
  const isFar = offset >= BITS_32;
  const zip64Extra = isFar ? packed([2, 1], [2, 8], [8, offset]) : Buffer.alloc(0);
  const head = packed(
    ...([
      [4, 0x0201_4b50],
      [2, (3 << 8) | VERSION],
      [2, VERSION],
      [2, FLAGS],
    ] as const),
    ...([
      [2, DEFLATED],
      [2, time],
      [2, date],
      [4, crc],
      [4, compressed],
      [4, size],
    ] as const),
    ...([
      [2, name.length],
      [2, zip64Extra.length],
      [2, 0],
      [2, 0],
      [2, 0],
    ] as const),
    ...([
      [4, UNIX_FILE],
      [4, isFar ? BITS_32 : offset],
    ] as const),
  );
  return Buffer.concat([head, name, zip64Extra]);
}

function* endOf(count: number, directory: number, end: number): Iterable<Buffer> {
  const size = end - directory;
  if (count >= BITS_16 || end >= BITS_32) {
    yield packed(
      ...([
        [4, 0x0606_4b50],
        [8, 44],
        [2, VERSION],
        [2, VERSION],
        [4, 0],
        [4, 0],
      ] as const),
      ...([
        [8, count],
        [8, count],
        [8, size],
        [8, directory],
      ] as const),
    );
    yield packed([4, 0x0706_4b50], [4, 0], [8, end], [4, 1]);
  }
  const shortCount = Math.min(count, BITS_16);
  yield packed(
    ...([
      [4, 0x0605_4b50],
      [2, 0],
      [2, 0],
      [2, shortCount],
      [2, shortCount],
    ] as const),
    ...([
      [4, Math.min(size, BITS_32)],
      [4, Math.min(directory, BITS_32)],
      [2, 0],
    ] as const),
  );
}

/** The time in UTC, with a resolution of two seconds. */
function dosTime(seconds: number): [date: number, time: number] {
  const at = new Date(Math.max(seconds, FIRST_SECONDS) * 1000);
  const date =
    ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time =
    (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | Math.floor(at.getUTCSeconds() / 2);
  return [date, time];
}

/** The start of 1980, from which the format counts. */
const FIRST_SECONDS = 315_532_800;
