// A tar file, compressed with gzip or not, read through a temporary copy that has no name.
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { MovingRefused } from "../errors.ts";
import { ByteReader } from "./byte-reader.ts";
import { type Archive, checkCount, checkName, checkTotal, type Span } from "./entries.ts";
import { decompressed, unpacked } from "./gunzip.ts";

const PIECE_BYTES = 256 * 1024;
const BLOCK_BYTES = 512;
const AHEAD_BYTES = 64 * 1024;
const MAGIC_OFFSET = 257;
/** Extended headers contain names; longer ones are invalid. */
const HEADER_BYTES_MAX = 65_536;
const EXTENDED_ENTRY = 2;
const DIRECTORY_TYPE = "5";
const FILE_TYPES = ["0", "\0", "7"];
const LINK_TYPES = ["1", "2"];

export class TarArchive implements Archive {
  readonly sizes = new Map<string, number>();
  private readonly starts = new Map<string, number>();
  private total = 0;
  private count = 0;
  private extended = 0;
  /** Bytes of the file from `start`, and the end of the block that was read last. */
  private ahead = { start: 0, end: 0, bytes: Buffer.alloc(0) };

  private constructor(
    private readonly file: FileHandle,
    private readonly bytes: number,
  ) {}

  /** Decompresses first, because a gzip stream can be read only from its start. */
  static async open(path: string): Promise<TarArchive> {
    const source = await open(path, "r");
    const { size } = await source.stat();
    const isPlain = !(await isGzip(source));
    if (!isPlain) await source.close();
    const file = isPlain ? source : await unpacked(createReadStream(path), size, path);
    const archive = new TarArchive(file, isPlain ? size : (await file.stat()).size);
    try {
      await archive.readNames();
    } catch (error) {
      await file.close();
      throw error;
    }
    return archive;
  }

  async *stream(name: string, span?: Span): AsyncIterable<Uint8Array> {
    const start = this.starts.get(name);
    if (start === undefined) throw new MovingRefused("missing", name);
    const end = start + Math.min(span?.to ?? Infinity, this.sizes.get(name)!);
    for (let offset = start + (span?.from ?? 0); offset < end;) {
      const buffer = Buffer.alloc(Math.min(PIECE_BYTES, end - offset));
      const { bytesRead } = await this.file.read(buffer, 0, buffer.length, offset);
      if (bytesRead === 0) throw new MovingRefused("shorter than the archive says", name);
      offset += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private async readNames(): Promise<void> {
    let next: Header = {};
    for (let offset = 0; offset + BLOCK_BYTES <= this.bytes;) {
      const block = await this.block(offset, BLOCK_BYTES);
      if (block.every((byte) => byte === 0)) return;
      const { name, size, type } = headerOf(block, next);
      const start = offset + BLOCK_BYTES;
      if (start + size > this.bytes) throw new MovingRefused("ends early: truncated?", name);
      offset = start + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
      if (type === "L" || type === "x" || type === "g" || type === "K") {
        checkCount(++this.extended / EXTENDED_ENTRY);
        if (size > HEADER_BYTES_MAX) throw new MovingRefused("has an oversized header", name);
        if (type === "L") next = { path: textIn(await this.block(start, size)) };
        if (type === "x") next = paxOf(await this.block(start, size));
        continue;
      }
      next = {};
      this.addEntry(name, size, type, start);
    }
    // A tar file ends with a block of zeros, which this file lacks.
    throw new MovingRefused("not a tar file, or it is truncated");
  }

  private addEntry(entryName: string, size: number, type: string, start: number): void {
    const name = entryName.replace(/^\.\//, "");
    if (type === DIRECTORY_TYPE && (name === "" || name === ".")) return;
    checkName(name);
    // Counts folders, too.
    checkCount(++this.count);
    if (LINK_TYPES.includes(type)) {
      throw new MovingRefused("is a link, which is not followed", name);
    }
    if (type === DIRECTORY_TYPE) return;
    if (!FILE_TYPES.includes(type)) throw new MovingRefused("not a regular file", name);
    if (this.sizes.has(name)) throw new MovingRefused("is in the archive twice", name);
    checkTotal((this.total += size));
    this.sizes.set(name, size);
    this.starts.set(name, start);
  }

  /** Reads ahead if headers follow each other, as those of folders do. */
  private async block(at: number, length: number): Promise<Buffer> {
    const isNext = at === this.ahead.end;
    const offset = at - this.ahead.start;
    this.ahead.end = at + length;
    if (offset >= 0 && offset + length <= this.ahead.bytes.length) {
      return this.ahead.bytes.subarray(offset, offset + length);
    }
    const buffer = Buffer.alloc(isNext ? Math.max(length, AHEAD_BYTES) : length);
    const { bytesRead } = await this.file.read(buffer, 0, buffer.length, at);
    if (bytesRead < length) throw new MovingRefused("not a tar file, or it is truncated");
    this.ahead = { start: at, end: at + length, bytes: buffer.subarray(0, bytesRead) };
    return buffer.subarray(0, length);
  }
}

/** Yields the names of the files without unpacking them, which takes no space on the disk. */
export async function* namesInTar(path: string): AsyncIterable<string> {
  const pieces = plainBytes(path);
  try {
    const bytes = new ByteReader(pieces, path);
    let next: Header = {};
    for (let count = 1; !(await bytes.isAtEnd()); count++) {
      checkCount(count / EXTENDED_ENTRY);
      const block = await bytes.take(BLOCK_BYTES);
      if (block.every((byte) => byte === 0)) return;
      const { name, size, type } = headerOf(block, next);
      next = {};
      const padding = Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES - size;
      const isExtended = (type === "L" || type === "x") && size <= HEADER_BYTES_MAX;
      if (isExtended) {
        const header = await bytes.take(size);
        next = type === "L" ? { path: textIn(header) } : paxOf(header);
      } else {
        if (FILE_TYPES.includes(type)) yield name.replace(/^\.\//, "");
        await bytes.skip(size);
      }
      await bytes.skip(padding);
    }
  } finally {
    await pieces.return(undefined);
  }
}

async function* plainBytes(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r");
  const source = createReadStream(path, { highWaterMark: PIECE_BYTES });
  try {
    const { size } = await file.stat();
    yield* (await isGzip(file)) ? decompressed(source, size, path) : source;
  } finally {
    source.destroy();
    await file.close();
  }
}

/** Whether the bytes at the start of a file are those of a tar file or of gzip. */
export function looksLikeTar(start: Uint8Array): boolean {
  if (start[0] === 0x1f && start[1] === 0x8b) return true;
  return textIn(Buffer.from(start.subarray(MAGIC_OFFSET, MAGIC_OFFSET + 5))) === "ustar";
}

interface Header {
  path?: string;
  size?: number;
}

function headerOf(block: Buffer, { path, size }: Header) {
  let sum = 0;
  for (const [offset, byte] of block.entries()) sum += offset >= 148 && offset < 156 ? 32 : byte;
  if (sum !== octal(block.subarray(148, 156))) {
    throw new MovingRefused("not a tar file, or it is damaged");
  }
  const isUstar = textIn(block.subarray(MAGIC_OFFSET, MAGIC_OFFSET + 6)) === "ustar";
  const prefix = isUstar ? textIn(block.subarray(345, 500)) : "";
  const short = textIn(block.subarray(0, 100));
  return {
    name: path ?? (prefix ? `${prefix}/${short}` : short),
    size: size ?? octal(block.subarray(124, 136)),
    type: String.fromCharCode(block[156]!),
  };
}

/** Large numbers are binary, marked by the first bit. */
function octal(field: Uint8Array): number {
  if (field[0]! & 0x80) {
    return field.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0);
  }
  const number = Number.parseInt(textIn(Buffer.from(field)).trim() || "0", 8);
  // After a negative size, the reader would read the same header again, forever.
  const isSize = Number.isSafeInteger(number) && number >= 0;
  if (!isSize) throw new MovingRefused("not a tar file, or it is damaged");
  return number;
}

function textIn(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.subarray(0, end < 0 ? bytes.length : end).toString("utf8");
}

/** Parses records such as `27 path=a/long/name`, each with its own length. */
function paxOf(bytes: Buffer): Header {
  const header: Header = {};
  for (let offset = 0; offset < bytes.length;) {
    const length = Number.parseInt(bytes.subarray(offset, offset + 20).toString("latin1"), 10);
    if (!(length > 0) || offset + length > bytes.length) {
      throw new MovingRefused("not a tar file, or it is damaged");
    }
    const record = bytes.subarray(offset, offset + length - 1).toString("utf8");
    const [, key, value = ""] = /^\d+ ([^=]+)=([^]*)$/.exec(record) ?? [];
    if (key === "path") header.path = value;
    if (key === "size" && /^\d{1,15}$/.test(value)) header.size = Number(value);
    offset += length;
  }
  return header;
}

async function isGzip(file: FileHandle): Promise<boolean> {
  const start = Buffer.alloc(2);
  await file.read(start, 0, 2, 0);
  return start[0] === 0x1f && start[1] === 0x8b;
}
