// An archive that was unpacked into a folder; symbolic links in it are rejected.
import { createReadStream } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { MovingRefused } from "../errors.ts";
import { type Archive, checkCount, checkTotal, type Span } from "./entries.ts";

const DEPTH_MAX = 16;
const PIECE_BYTES = 256 * 1024;

export class FolderArchive implements Archive {
  private constructor(
    private readonly root: string,
    readonly sizes: ReadonlyMap<string, number>,
  ) {}

  static async open(root: string): Promise<FolderArchive> {
    const sizes = new Map<string, number>();
    let total = 0;
    for await (const [name, size] of filesBelow(root, "", 0)) {
      sizes.set(name, size);
      total += size;
      checkCount(sizes.size);
      checkTotal(total);
    }
    return new FolderArchive(root, sizes);
  }

  /**
   * A single file that is not an archive, such as a database, presented as a folder with one file.
   */
  static ofFile(path: string, size: number): FolderArchive {
    checkTotal(size);
    return new FolderArchive(dirname(path), new Map([[basename(path), size]]));
  }

  stream(name: string, span?: Span): AsyncIterable<Uint8Array> {
    if (span && span.to <= span.from) return emptyStream();
    const part = span && { start: span.from, end: span.to - 1 };
    return createReadStream(join(this.root, name), { ...part, highWaterMark: PIECE_BYTES });
  }

  async close(): Promise<void> {}
}

async function* filesBelow(
  root: string,
  folder: string,
  depth: number,
): AsyncIterable<[name: string, size: number]> {
  if (depth > DEPTH_MAX) throw new MovingRefused(`deeper than ${DEPTH_MAX} folders`, folder);
  for (const entry of await readdir(join(root, folder))) {
    const name = folder === "" ? entry : `${folder}/${entry}`;
    const facts = await lstat(join(root, name));
    if (facts.isDirectory()) yield* filesBelow(root, name, depth + 1);
    else if (facts.isFile()) yield [name, facts.size];
    else throw new MovingRefused("not a regular file", name);
  }
}

async function* emptyStream(): AsyncIterable<Uint8Array> {}
