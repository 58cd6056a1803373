// Stores files in a bucket; only incomplete files are on the local disk.
import type { Directory } from "./directory.ts";
import type { Blobs, StoredBlob } from "./blob-store.ts";
import type { ByteRange } from "./rules.ts";

/** The required operations of a bucket. */
export interface Objects {
  put(key: string, bytes: Uint8Array): Promise<void>;
  send(key: string, bytes: Blob): Promise<void>;
  sizeOf(key: string): Promise<number | undefined>;
  read(key: string, from: number, to: number): Promise<Uint8Array<ArrayBuffer>>;
  delete(key: string): Promise<void>;
  keysBefore(prefix: string, time_ms: number): Promise<string[]>;
}

/** Size of the chunks in which a file is read. */
const PIECE_BYTES = 4 * 1_048_576;

export class BucketBlobs implements Blobs {
  /** Several organizations may share a bucket; `owner` separates their files. */
  constructor(
    private readonly drafts: Directory,
    private readonly objects: Objects,
    private readonly owner: () => string,
  ) {}

  append(draft: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    return this.drafts.append(draft, bytes);
  }

  draft(draft: string): Promise<Blob | undefined> {
    return this.drafts.draft(draft);
  }

  async store(draft: string, name: string): Promise<void> {
    const bytes = await this.drafts.draft(draft);
    if (!bytes) throw new Error(`there is no draft ${draft}`);
    await this.objects.send(this.keyOf(name), bytes);
    await this.drafts.drop(draft);
  }

  drop(draft: string): Promise<void> {
    return this.drafts.drop(draft);
  }

  put(name: string, bytes: Uint8Array): Promise<void> {
    return this.objects.put(this.keyOf(name), bytes);
  }

  async find(name: string): Promise<StoredBlob | undefined> {
    const key = this.keyOf(name);
    const size = await this.objects.sizeOf(key);
    return size === undefined ? undefined : new RemoteFile(this.objects, key, size);
  }

  delete(name: string): Promise<void> {
    return this.objects.delete(this.keyOf(name));
  }

  draftsBefore(time_ms: number): Promise<string[]> {
    return this.drafts.draftsBefore(time_ms);
  }

  async namesBefore(folder: string, time_ms: number): Promise<string[]> {
    const keys = await this.objects.keysBefore(`${this.keyOf(folder)}/`, time_ms);
    return keys.map((key) => key.slice(this.keyOf("").length));
  }

  async deleteAll(): Promise<void> {
    const all = () => this.objects.keysBefore(this.keyOf(""), Infinity);
    for (let keys = await all(); keys.length > 0; keys = await all()) {
      for (const key of keys) await this.objects.delete(key);
    }
    await this.drafts.deleteAll();
  }

  private keyOf(name: string): string {
    return `${this.owner()}/${name}`;
  }
}

class RemoteFile implements StoredBlob {
  constructor(
    private readonly objects: Objects,
    private readonly key: string,
    readonly size: number,
  ) {}

  /** Reads a small range at once, so that the response has a content length. */
  async body({ from, to }: ByteRange = { from: 0, to: this.size }) {
    if (from === to) return new Uint8Array();
    if (to - from <= PIECE_BYTES) return this.objects.read(this.key, from, to);
    return new ReadableStream({ pull: this.pieces(from, to) }, { highWaterMark: 0 });
  }

  async content(): Promise<Blob> {
    return this.size === 0
      ? new Blob()
      : new Blob([await this.objects.read(this.key, 0, this.size)]);
  }

  /** Requests the next chunk after the reader has consumed this one. */
  private pieces(from: number, to: number) {
    let index = from;
    return async (out: ReadableStreamDefaultController<Uint8Array>) => {
      const next = Math.min(index + PIECE_BYTES, to);
      out.enqueue(await this.objects.read(this.key, index, next));
      index = next;
      if (index === to) out.close();
    };
  }
}
