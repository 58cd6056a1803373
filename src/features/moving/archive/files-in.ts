// Lists the files in a folder and its subfolders, in a fixed order.
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Yields paths relative to `folder`, with `/` as the separator. */
export async function* filesIn(folder: string, below = ""): AsyncIterable<string> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* filesIn(folder, name);
    else yield name;
  }
}
