// Disk cache of content from other hosts, which removes the least recently used files.
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { FileOnDisk } from "../files/directory.ts";
import type { StoredBlob } from "../files/blob-store.ts";

export interface Content {
  readonly content_type: string;
  readonly bytes: StoredBlob;
}

interface Entry {
  readonly file: string;
  readonly content_type: string;
  readonly size: number;
  readonly kept_ms: number;
}

interface Bounds {
  readonly bytes: number;
  readonly files: number;
}

/** The hash of the URL, the size, and the media type with a dot instead of its slash. */
const FILE = /^([0-9a-f]{64})-(\d+)-([a-z0-9.+-]+)$/;
const PARTIAL_SUFFIX = ".part";

export class Cache {
  /** Most recently used last. */
  private readonly entries = new Map<string, Entry>();
  private size = 0;
  private opening: Promise<void> | undefined;

  constructor(
    private readonly folder: string,
    private readonly bounds: Bounds,
  ) {}

  /** undefined if it is not cached, or was cached before that time. */
  async find(hash: string, since_ms: number): Promise<Content | undefined> {
    await (this.opening ??= this.open());
    const entry = this.entries.get(hash);
    if (entry === undefined) return undefined;
    const bytes = Bun.file(join(this.folder, entry.file));
    const exists = entry.kept_ms >= since_ms && (await bytes.exists());
    if (!exists) {
      await this.drop(hash);
      return undefined;
    }
    this.entries.delete(hash);
    this.entries.set(hash, entry);
    const { content_type, size } = entry;
    return { content_type, bytes: new FileOnDisk(bytes.slice(0, size)) };
  }

  /** `typeOf` inspects the first bytes and may reject the content. */
  async store(
    hash: string,
    bytes: AsyncIterable<Uint8Array>,
    now_ms: number,
    typeOf: (unfinished: Blob) => Promise<string>,
  ): Promise<void> {
    await (this.opening ??= this.open());
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, `${crypto.randomUUID()}${PARTIAL_SUFFIX}`);
    try {
      const size = await writtenFile(path, bytes);
      const content_type = await typeOf(Bun.file(path));
      const file = `${hash}-${size}-${content_type.replace("/", ".")}`;
      await rename(path, join(this.folder, file));
      this.enter(hash, { file, content_type, size, kept_ms: now_ms });
    } finally {
      await rm(path, { force: true });
    }
    await this.shrink();
  }

  async clear(): Promise<void> {
    this.entries.clear();
    this.size = 0;
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Lists the files cached by an earlier process, oldest first. */
  private async open(): Promise<void> {
    const entries: [string, Entry][] = [];
    const names = await readdir(this.folder).catch(() => []);
    for (const file of names) {
      const [, hash, size, type = ""] = FILE.exec(file) ?? [];
      const facts = await stat(join(this.folder, file)).catch(() => undefined);
      if (hash === undefined || facts?.size !== Number(size)) {
        await rm(join(this.folder, file), { force: true, recursive: true });
        continue;
      }
      const content_type = type.replace(".", "/");
      entries.push([hash, { file, content_type, size: facts.size, kept_ms: facts.mtimeMs }]);
    }
    entries.sort(([, a], [, b]) => a.kept_ms - b.kept_ms);
    for (const [hash, entry] of entries) this.enter(hash, entry);
    await this.shrink();
  }

  private enter(hash: string, entry: Entry): void {
    this.size += entry.size - (this.entries.get(hash)?.size ?? 0);
    this.entries.delete(hash);
    this.entries.set(hash, entry);
  }

  private async shrink(): Promise<void> {
    for (const hash of this.entries.keys()) {
      const exceedsBounds = this.size > this.bounds.bytes || this.entries.size > this.bounds.files;
      if (!exceedsBounds) return;
      await this.drop(hash);
    }
  }

  private async drop(hash: string): Promise<void> {
    const entry = this.entries.get(hash);
    if (entry === undefined) return;
    this.entries.delete(hash);
    this.size -= entry.size;
    await rm(join(this.folder, entry.file), { force: true });
  }
}

async function writtenFile(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, "wx", 0o600);
  let size = 0;
  try {
    for await (const chunk of bytes) {
      await file.writeFile(chunk);
      size += chunk.length;
    }
  } finally {
    await file.close();
  }
  return size;
}
