// An image as a list of parts: ranges of the original file, and replacement bytes.

/** `to` is exclusive. */
interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** A part that repeats one byte. */
interface Filling {
  readonly byte: number;
  readonly length: number;
}

export type Part = ByteRange | Filling | Uint8Array<ArrayBuffer>;

/** Files with more pieces are left unchanged, because each piece has a cost besides its bytes. */
export const PIECES_MAX = 20_000;

const WINDOW_BYTES = 65_536;

/** Reads a file at arbitrary positions while holding little of it in memory. */
export class Window {
  private from = 0;
  private buffer = Buffer.alloc(0);

  constructor(private readonly file: Blob) {}

  get size(): number {
    return this.file.size;
  }

  /** Returns up to `length` bytes; valid until the next call. */
  async read(from: number, length: number): Promise<Buffer> {
    const end = Math.min(from + length, this.size);
    if (from < this.from || end > this.from + this.buffer.length) {
      const to = Math.max(end, Math.min(from + WINDOW_BYTES, this.size));
      this.buffer = Buffer.from(await this.file.slice(from, to).arrayBuffer());
      this.from = from;
    }
    return this.buffer.subarray(from - this.from, Math.max(end, from) - this.from);
  }
}

export function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + ("to" in part ? part.to - part.from : part.length), 0);
}

/** Yields the bytes of the parts in order. */
export async function* writeParts(
  file: Blob,
  parts: readonly Part[],
): AsyncIterable<Uint8Array<ArrayBuffer>> {
  for (const part of parts) {
    if (part instanceof Uint8Array) {
      yield part;
      continue;
    }
    const [from, to] = "to" in part ? [part.from, part.to] : [0, part.length];
    for (let index = from; index < to; index += WINDOW_BYTES) {
      const end = Math.min(index + WINDOW_BYTES, to);
      if ("to" in part) yield new Uint8Array(await file.slice(index, end).arrayBuffer());
      else yield new Uint8Array(end - index).fill(part.byte);
    }
  }
}
