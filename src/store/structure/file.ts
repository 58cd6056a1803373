// Reads a database file without mapping it, so that damage cannot crash the process.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const WARM_BYTES = 1_048_576;

/** The 64-bit word at this position; values above 2^53 lose their lowest bits. */
export function wordAt(page: Buffer, offset: number): number {
  return page.readUInt32LE(offset) + page.readUInt32LE(offset + 4) * 2 ** 32;
}

export class PageFile implements Disposable {
  readonly bytes: number;
  private readonly file: number;
  private page_bytes = 0;

  constructor(readonly path: string) {
    this.file = openSync(path, "r");
    this.bytes = fstatSync(this.file).size;
  }

  [Symbol.dispose](): void {
    closeSync(this.file);
  }

  set pageBytes(bytes: number) {
    this.page_bytes = bytes;
  }

  get pageBytes(): number {
    return this.page_bytes;
  }

  /** Number of complete pages. */
  get pages(): number {
    return Math.floor(this.bytes / this.page_bytes);
  }

  /** Returns a page, or its first `length` bytes; bytes beyond the end of the file are missing. */
  read(number: number, length = this.page_bytes): Buffer {
    return this.readAt(number * this.page_bytes, length);
  }

  readAt(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const readBytes = readSync(this.file, bytes, filled, length - filled, offset + filled);
      if (readBytes === 0) break;
      filled += readBytes;
    }
    return bytes.subarray(0, filled);
  }

  /** Reads the beginning of the file sequentially, so that later reads in any order are cached. */
  warm(bytes: number, isLate: () => boolean): void {
    const piece = Buffer.allocUnsafe(WARM_BYTES);
    const end = Math.min(bytes, this.bytes);
    for (let offset = 0; offset < end && !isLate(); offset += WARM_BYTES) {
      readSync(this.file, piece, 0, WARM_BYTES, offset);
    }
  }
}
