// Stores backups in an S3 bucket under a prefix, with write-only credentials if desired.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "../../contract/errors/general.ts";
import type { Objects } from "../files/bucket.ts";
import { writeDurably } from "../../store/system/durable.ts";
import { BackupDamaged, BackupFailed, checkName, type Pieces, type Target } from "./work/target.ts";

/** Larger objects are written to disk until their size is known. */
const BUFFERED_BYTES_MAX = 4 * 1_048_576;
const PIECE_BYTES = 4 * 1_048_576;

export class BucketTarget implements Target {
  readonly is_elsewhere = true;

  constructor(
    readonly name: string,
    private readonly objects: Objects,
    private readonly prefix: string,
    /** Directory for large objects. */
    private readonly spool: string,
  ) {}

  checkRoom(): void {}

  async put(name: string, pieces: Pieces): Promise<void> {
    const key = this.keyOf(name);
    const buffered: Uint8Array[] = [];
    let size = 0;
    const rest = pieces[Symbol.asyncIterator]();
    while (size <= BUFFERED_BYTES_MAX) {
      const { value, done } = await rest.next();
      if (done) return this.withRetries(() => this.objects.put(key, Buffer.concat(buffered)));
      buffered.push(value);
      size += value.length;
    }
    mkdirSync(this.spool, { recursive: true, mode: 0o700 });
    const path = join(this.spool, crypto.randomUUID());
    try {
      await writeDurably(path, "w", joinPieces(buffered, rest));
      await this.withRetries(() => this.objects.send(key, Bun.file(path)));
    } finally {
      rmSync(path, { force: true });
    }
  }

  async *read(name: string): Pieces {
    const key = this.keyOf(name);
    const size = await this.sizeOf(name);
    if (size === undefined) throw new BackupDamaged(`${name} is missing in ${this.name}`);
    for (let offset = 0; offset < size; offset += PIECE_BYTES) {
      const end = Math.min(offset + PIECE_BYTES, size);
      yield await this.withRetries(() => this.objects.read(key, offset, end));
    }
  }

  sizeOf(name: string): Promise<number | undefined> {
    return this.withRetries(() => this.objects.sizeOf(this.keyOf(name)));
  }

  async list(folder: string, before_ms = Infinity): Promise<string[]> {
    const prefix = `${this.keyOf(folder)}/`;
    const keys = await this.withRetries(() => this.objects.keysBefore(prefix, before_ms));
    return keys.map((key) => `${folder}/${key.slice(prefix.length)}`).toSorted();
  }

  delete(name: string): Promise<void> {
    return this.withRetries(() => this.objects.delete(this.keyOf(name)));
  }

  /** Object stores have no locks; the server itself runs only one backup at a time. */
  lock(): () => void {
    return () => {};
  }

  private keyOf(name: string): string {
    return this.prefix === "" ? checkName(name) : `${this.prefix}/${checkName(name)}`;
  }

  private async withRetries<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { cause } = error;
      const text = cause instanceof Error ? cause.message : error.message;
      throw new BackupFailed(`${this.name}: ${text}`, { cause: error });
    }
  }
}

async function* joinPieces(
  buffered: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): Pieces {
  yield* buffered;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
