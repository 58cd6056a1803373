// Files of a Rocket.Chat dump: in GridFS, or in a folder of uploads beside it.
import type { Archive } from "../archive/entries.ts";
import { MovingRefused } from "../errors.ts";
import type { DumpDocument, DumpSpan } from "./dump.ts";

/** Collections of chunks, by the name of the kind of file. */
const CHUNKS: ReadonlyMap<string, string> = new Map([
  ["rocketchat_uploads.chunks", "uploads"],
  ["rocketchat_avatars.chunks", "avatars"],
  ["custom_emoji.chunks", "emoji"],
]);
const CHUNKS_MAX = 1_000_000;

export const isChunks = (collection: string) => CHUNKS.has(collection);

interface Chunk {
  readonly n: number;
  readonly span: DumpSpan;
}

export class RocketFiles {
  private readonly chunks = new Map<string, Chunk[]>();
  private readonly entries = new Map<string, string>();
  private count = 0;

  constructor(private readonly archive: Archive) {
    for (const entry of archive.sizes.keys()) {
      if (/\.(?:bson|json)$/.test(entry)) continue;
      const name = entry.slice(entry.lastIndexOf("/") + 1);
      this.entries.set(name, entry);
      // File system storage may append the extension of the file's name.
      this.entries.set(name.replace(/\.\w{1,10}$/, ""), entry);
    }
  }

  take({ collection, value, location, spanOf }: DumpDocument): void {
    const { files_id, n, data } = value;
    if (typeof files_id !== "string" || typeof n !== "number" || !(data instanceof Uint8Array)) {
      return;
    }
    if (++this.count > CHUNKS_MAX) throw new MovingRefused("has too many chunks", location);
    const key = `${CHUNKS.get(collection)!}/${files_id}`;
    const chunks = this.chunks.get(key);
    if (chunks) chunks.push({ n, span: spanOf(data) });
    else this.chunks.set(key, [{ n, span: spanOf(data) }]);
  }

  /** Returns the name under which the archive has the file's bytes; undefined if it does not. */
  find(kind: string, id: string): string | undefined {
    const key = `${kind}/${id}`;
    if (this.chunks.has(key)) return key;
    return kind === "uploads" ? this.entries.get(id) : undefined;
  }

  sizeOf(key: string): number {
    const chunks = this.chunks.get(key);
    if (!chunks) return this.archive.sizes.get(key) ?? 0;
    return chunks.reduce((sum, { span }) => sum + span.to - span.from, 0);
  }

  async *stream(key: string): AsyncIterable<Uint8Array> {
    const chunks = this.chunks.get(key);
    if (!chunks) return yield* this.archive.stream(key);
    for (const { span } of chunks.toSorted((a, b) => a.n - b.n)) {
      yield* this.archive.stream(span.entry, span);
    }
  }
}
