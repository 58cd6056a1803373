// Takes numbers and runs of bytes from a stream of pieces.
import { MovingRefused } from "../errors.ts";

export class ByteReader {
  /** Bytes taken or skipped so far. */
  position = 0;
  private readonly pieces: AsyncIterator<Uint8Array>;
  private piece: Buffer = Buffer.alloc(0);
  private at = 0;

  constructor(
    stream: AsyncIterable<Uint8Array>,
    /** The name of the stream in errors. */
    private readonly name: string,
  ) {
    this.pieces = stream[Symbol.asyncIterator]();
  }

  async isAtEnd(): Promise<boolean> {
    while (this.at >= this.piece.length) {
      if (!(await this.next())) return true;
    }
    return false;
  }

  async int32(): Promise<number> {
    return (await this.take(4)).readInt32LE(0);
  }

  async take(length: number): Promise<Buffer> {
    const bytes = Buffer.alloc(length);
    let filled = 0;
    while (filled < length) {
      if (await this.isAtEnd()) throw this.early();
      const count = this.piece.copy(bytes, filled, this.at, this.at + length - filled);
      this.at += count;
      filled += count;
    }
    this.position += length;
    return bytes;
  }

  async skip(length: number): Promise<void> {
    for (let remaining = length; remaining > 0;) {
      if (await this.isAtEnd()) throw this.early();
      const count = Math.min(remaining, this.piece.length - this.at);
      this.at += count;
      remaining -= count;
    }
    this.position += length;
  }

  private async next(): Promise<boolean> {
    const { done, value } = await this.pieces.next();
    if (done) return false;
    this.piece = Buffer.from(value.buffer, value.byteOffset, value.length);
    this.at = 0;
    return true;
  }

  private early(): MovingRefused {
    return new MovingRefused("ends early: truncated?", this.name);
  }
}
