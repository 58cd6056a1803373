// An archive that was unpacked into a folder; links in it are refused.
import { createReadStream } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { MovingRefused } from "../refused.ts";
import { type Archive, checkCount, checkTotal } from "./entries.ts";

const DEPTH_MAX = 16;

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

  stream(name: string): AsyncIterable<Uint8Array> {
    return createReadStream(join(this.root, name));
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
