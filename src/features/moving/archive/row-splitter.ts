// Splits the text of a JSON list into its values, chunk by chunk.
import { MovingRefused } from "../errors.ts";
import { LINE_BYTES_MAX } from "../json-lines.ts";

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE, COMMA] = [
  34, 92, 91, 93, 123, 125, 44,
];

/** Tracks strings that span several chunks. */
export class Strings {
  isInside = false;
  /** Whether the previous chunk ends with a backslash that escapes the next byte. */
  private isEscaped = false;

  /** The offset after the end of the string, or the length of the chunk. */
  skip(piece: Buffer, from: number): number {
    let index = from;
    if (this.isEscaped) index += 1;
    this.isEscaped = false;
    for (;;) {
      const end = piece.indexOf(QUOTE, index);
      const stop = end < 0 ? piece.length : end;
      let backslashes = 0;
      while (stop - 1 - backslashes >= index && piece[stop - 1 - backslashes] === BACKSLASH) {
        backslashes += 1;
      }
      const isOdd = backslashes % 2 === 1;
      if (end < 0) {
        this.isEscaped = isOdd;
        return piece.length;
      }
      if (!isOdd) {
        this.isInside = false;
        return end + 1;
      }
      index = end + 1;
    }
  }
}

export class RowSplitter {
  count = 0;
  private readonly strings = new Strings();
  private depth = 0;
  private rest: Buffer[] = [];
  private restBytes = 0;
  /** Whether the current value is neither an object nor a list. */
  private isScalar = false;

  constructor(private readonly location: (rowNumber: number) => string) {}

  /** Yields objects and lists, and undefined for other values. */
  *take(chunk: Uint8Array): Iterable<Uint8Array | undefined> {
    const piece = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let start = this.depth > 0 ? 0 : -1;
    for (let index = 0; index < piece.length;) {
      if (this.strings.isInside) {
        index = this.strings.skip(piece, index);
        continue;
      }
      const byte = piece[index]!;
      index += 1;
      if (byte === QUOTE) {
        this.strings.isInside = true;
        if (this.depth === 0) this.isScalar = true;
      } else if (byte === OPEN || byte === OPEN_LIST) {
        if (this.depth === 0) start = index - 1;
        this.depth += 1;
      } else if (byte === CLOSE || byte === CLOSE_LIST) {
        this.depth -= 1;
        if (this.depth > 0) continue;
        if (this.depth < 0)
          throw new MovingRefused("not valid JSON", this.location(this.count + 1));
        const end = piece.subarray(start, index);
        const bytes = this.rest.length > 0 ? Buffer.concat([...this.rest, end]) : end;
        [this.rest, this.restBytes, start] = [[], 0, -1];
        yield bytes;
      } else if (this.depth === 0 && byte === COMMA) {
        if (this.isScalar) yield undefined;
        this.isScalar = false;
      } else if (this.depth === 0 && byte > 32) this.isScalar = true;
    }
    if (start < 0) return;
    this.rest.push(Buffer.from(piece.subarray(start)));
    this.restBytes += piece.length - start;
    if (this.restBytes > LINE_BYTES_MAX) {
      const maxMib = LINE_BYTES_MAX / 1_048_576;
      throw new MovingRefused(`longer than ${maxMib} MiB`, this.location(this.count + 1));
    }
  }

  /** Whether the last value is neither an object nor a list. */
  finish(): boolean {
    if (this.depth === 0 && !this.strings.isInside) return this.isScalar;
    throw new MovingRefused("ends early: truncated?", this.location(this.count + 1));
  }
}
