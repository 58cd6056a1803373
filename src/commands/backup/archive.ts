// Writes a directory as a tar archive.
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { END, padding, tarHeader } from "./tar.ts";

/** Yields its files sorted by name, with the folder `last` at the end. */
export async function* archiveOf(directory: string, last: string): AsyncIterable<Uint8Array> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      return join(parentPath, name).slice(directory.length + 1);
    });
  const names = paths.filter((path) => path.includes("/")).toSorted();
  const isLast = (name: string) => name.startsWith(`${last}/`);
  for (const name of [...names.filter((name) => !isLast(name)), ...names.filter(isLast)]) {
    const path = join(directory, name);
    const { size, mtimeMs } = await stat(path);
    yield tarHeader({ name, size, mtime: Math.floor(mtimeMs / 1000) });
    yield* createReadStream(path);
    yield padding(size);
  }
  yield END;
}
