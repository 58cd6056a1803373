// Sorts lines of JSON into buckets on disk, to be read back bucket by bucket.
import type { FileHandle } from "node:fs/promises";
import { temporaryFile, noSpaceError } from "./temporary.ts";

const BUFFER_LENGTH = 16_384;

export class Spool {
  private readonly buffers = new Map<number, string[]>();
  private readonly lengths = new Map<number, number>();
  private readonly blocks = new Map<number, [at: number, bytes: number][]>();
  private end = 0;

  private constructor(
    private readonly file: FileHandle,
    private readonly name: string,
  ) {}

  /** `name` describes in errors what is sorted. */
  static async open(name: string): Promise<Spool> {
    return new Spool(await temporaryFile(), name);
  }

  async add(bucket: number, value: unknown): Promise<void> {
    const line = `${JSON.stringify(value)}\n`;
    const buffer = this.buffers.get(bucket) ?? [];
    buffer.push(line);
    this.buffers.set(bucket, buffer);
    const length = (this.lengths.get(bucket) ?? 0) + line.length;
    this.lengths.set(bucket, length);
    if (length > BUFFER_LENGTH) await this.flush(bucket);
  }

  /** Returns the lines in the order in which they were added. */
  async read(bucket: number): Promise<unknown[]> {
    const values: unknown[] = [];
    for await (const value of this.each(bucket)) values.push(value);
    return values;
  }

  /** Like `read`, but keeps only a small part in memory at a time. */
  async *each(bucket: number): AsyncIterable<unknown> {
    await this.flush(bucket);
    for (const [at, bytes] of this.blocks.get(bucket) ?? []) {
      const buffer = Buffer.alloc(bytes);
      await this.file.read(buffer, 0, bytes, at);
      const lines = buffer.toString("utf8").split("\n").slice(0, -1);
      for (const line of lines) yield JSON.parse(line) as unknown;
    }
  }

  /** The length of the lines of a bucket. */
  lengthOf(bucket: number): number {
    const block = this.blocks.get(bucket) ?? [];
    const buffered = this.lengths.get(bucket) ?? 0;
    return block.reduce((sum, [, bytes]) => sum + bytes, buffered);
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private async flush(bucket: number): Promise<void> {
    const bytes = Buffer.from((this.buffers.get(bucket) ?? []).join(""));
    this.buffers.delete(bucket);
    this.lengths.delete(bucket);
    if (bytes.length === 0) return;
    try {
      // A disk that is almost full may accept only a part of the bytes.
      for (let offset = 0; offset < bytes.length;) {
        offset += (await this.file.write(bytes, offset, bytes.length - offset, this.end + offset))
          .bytesWritten;
      }
    } catch (error) {
      throw noSpaceError(error, this.name);
    }
    const blocks = this.blocks.get(bucket) ?? [];
    blocks.push([this.end, bytes.length]);
    this.blocks.set(bucket, blocks);
    this.end += bytes.length;
  }
}
