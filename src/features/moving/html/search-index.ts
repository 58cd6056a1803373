// The search index of an HTML archive: text in chunks, and which words are in which chunks.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Spool } from "../archive/spool.ts";
import { bucketOf, BUCKETS, searchWords } from "./search-words-rules.ts";

/** A page loads only the chunks that contain all words. */
const CHUNK_LENGTH = 128 * 1024;
const CHUNK_MESSAGES_MAX = 1_000;
const OWNER_ONLY = { mode: 0o600, flag: "wx" } as const;

interface SearchedMessage {
  readonly path: string;
  /** The title of the conversation. */
  readonly title: string;
  readonly sender: string;
  readonly day: string;
  readonly text: string;
}

type Entry = [title: number, sender: number, path: string, day: string, text: string];

export class SearchIndex {
  private entries: Entry[] = [];
  private readonly names = new Map<string, number>();
  private words = new Set<string>();
  private length = 0;
  private chunks = 0;

  private constructor(
    private readonly directory: string,
    private readonly spool: Spool,
  ) {}

  /** `directory` must exist. */
  static async open(directory: string): Promise<SearchIndex> {
    return new SearchIndex(directory, await Spool.open("words of the search index"));
  }

  async add({ path, title, sender, day, text }: SearchedMessage): Promise<void> {
    this.entries.push([this.nameOf(title), this.nameOf(sender), path, day, text]);
    for (const word of searchWords(text)) this.words.add(word);
    this.length += text.length;
    const isFull = this.length > CHUNK_LENGTH || this.entries.length >= CHUNK_MESSAGES_MAX;
    if (isFull) await this.endChunk();
  }

  /** Writes the last chunk, the words and the list of chunks. */
  async end(): Promise<void> {
    if (this.entries.length > 0) await this.endChunk();
    const filled: number[] = [];
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      if (await this.writeBucket(bucket)) filled.push(bucket);
    }
    this.write("index", { chunks: this.chunks, buckets: filled });
  }

  close(): Promise<void> {
    return this.spool.close();
  }

  private nameOf(name: string): number {
    const index = this.names.get(name);
    if (index !== undefined) return index;
    this.names.set(name, this.names.size);
    return this.names.size - 1;
  }

  private async endChunk(): Promise<void> {
    const chunk = this.chunks++;
    this.write(`text-${chunk}`, { names: [...this.names.keys()], messages: this.entries });
    for (const word of this.words) await this.spool.add(bucketOf(word), [word, chunk]);
    this.entries = [];
    this.names.clear();
    this.words = new Set();
    this.length = 0;
  }

  private async writeBucket(bucket: number): Promise<boolean> {
    const chunksOf = new Map<string, number[]>();
    for await (const line of this.spool.each(bucket)) {
      const [word, chunk] = line as [string, number];
      const chunks = chunksOf.get(word);
      if (chunks) chunks.push(chunk);
      else chunksOf.set(word, [chunk]);
    }
    if (chunksOf.size === 0) return false;
    this.write(`words-${bucket}`, [...chunksOf]);
    return true;
  }

  /** A script, because pages opened from a folder may not fetch files. */
  private write(name: string, value: object): void {
    const call = `archived(${JSON.stringify(name)},${JSON.stringify(value)});\n`;
    writeFileSync(join(this.directory, `${name}.js`), call, OWNER_ONLY);
  }
}
