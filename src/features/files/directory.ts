// Stores files in a directory; a name becomes visible only when all bytes are on disk.
import { readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { makeFolder, syncFolder, writeDurably } from "../../store/system/durable.ts";
import type { Blobs, StoredBlob } from "./blob-store.ts";
import type { ByteRange } from "./rules.ts";

const DRAFTS = "drafts";
const VALID_NAME = /^[A-Za-z0-9_-]+$/;

export class Directory implements Blobs {
  constructor(private readonly root: string) {}

  async append(draft: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.draftPath(draft);
    await makeFolder(dirname(path));
    await writeDurably(path, "a", bytes);
    await syncFolder(dirname(path));
  }

  draft(draft: string): Promise<Blob | undefined> {
    return fileAt(this.draftPath(draft));
  }

  async store(draft: string, name: string): Promise<void> {
    const path = this.pathOf(name);
    await makeFolder(dirname(path));
    await rename(this.draftPath(draft), path);
    await syncFolder(dirname(path));
  }

  async drop(draft: string): Promise<void> {
    await rm(this.draftPath(draft), { force: true });
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    const draft = crypto.randomUUID();
    await this.append(draft, asStream(bytes));
    await this.store(draft, name);
  }

  async find(name: string): Promise<StoredBlob | undefined> {
    const path = this.pathOf(name);
    const bytes = await fileAt(path);
    return bytes && new FileOnDisk(bytes, path);
  }

  async delete(name: string): Promise<void> {
    await rm(this.pathOf(name), { force: true });
  }

  draftsBefore(time_ms: number): Promise<string[]> {
    return olderIn(join(this.root, DRAFTS), time_ms);
  }

  async namesBefore(folder: string, time_ms: number): Promise<string[]> {
    const names = await olderIn(this.pathOf(folder), time_ms);
    return names.map((name) => `${folder}/${name}`);
  }

  /** The directory may be a symbolic link to another disk, so only its content is deleted. */
  async deleteAll(): Promise<void> {
    const names = (await readdir(this.root).catch(orEmpty)) ?? [];
    for (const name of names) await rm(join(this.root, name), { recursive: true, force: true });
    if (names.length > 0) await syncFolder(this.root);
  }

  private draftPath(draft: string): string {
    if (!VALID_NAME.test(draft)) throw new Error(`${draft} is no name of a draft`);
    return join(this.root, DRAFTS, draft);
  }

  /** The server creates all names; even so, none may lead out of the directory. */
  private pathOf(name: string): string {
    const words = name.split("/");
    if (!words.every((word) => /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(word))) {
      throw new Error(`${name} is no name of a file`);
    }
    return join(this.root, ...words);
  }
}

export class FileOnDisk implements StoredBlob {
  readonly size: number;

  constructor(
    private readonly bytes: Blob,
    readonly path?: string,
  ) {
    this.size = bytes.size;
  }

  async body(span?: ByteRange): Promise<Blob> {
    return span ? this.bytes.slice(span.from, span.to) : this.bytes;
  }

  async content(): Promise<Blob> {
    return this.bytes;
  }
}

async function fileAt(path: string): Promise<Blob | undefined> {
  const facts = await stat(path).catch(orEmpty);
  return facts?.isFile() ? Bun.file(path) : undefined;
}

async function olderIn(folder: string, time_ms: number): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(orEmpty)) ?? [];
  const older: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const facts = await stat(join(folder, entry.name)).catch(orEmpty);
    if (facts && facts.mtimeMs < time_ms) older.push(basename(entry.name));
  }
  return older;
}

function orEmpty(error: unknown): undefined {
  if ((error as { code?: string }).code !== "ENOENT") throw error;
}

async function* asStream(bytes: Uint8Array) {
  yield bytes;
}
