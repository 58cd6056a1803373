/** Reads and writes tar archives; equal entries result in equal bytes. */
import { END, KINDS, padding, tarHeader } from "../src/commands/backup/tar.ts";

export interface Entry {
  readonly name: string;
  readonly kind: keyof typeof KINDS;
  readonly mode: number;
  /** The id of the user and of the group; by default, root's. */
  readonly owner?: number;
  readonly bytes?: Uint8Array;
  /** The target of a symlink. */
  readonly link?: string;
}

const BLOCK = 512;
const DIRECTORY_MODE = 0o755;

/** `time`: the modification time of all entries, in Unix seconds. */
export function tarOf(entries: readonly Entry[], time: number): Uint8Array {
  const parts = entries.flatMap(({ bytes = new Uint8Array(0), kind, name, ...entry }) => {
    const size = bytes.length;
    const entryName = kind === "directory" ? `${name}/` : name;
    return [
      tarHeader({ ...entry, name: entryName, kind, size, mtime: time }),
      bytes,
      padding(size),
    ];
  });
  return Buffer.concat([...parts, END]);
}

/** Creates the entry of a file. */
export function file(name: string, content: string | Uint8Array, mode = 0o644): Entry {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return { name, kind: "file", mode, bytes };
}

/** Adds the parent directories, each before its entries. */
export function withDirectories(entries: readonly Entry[]): Entry[] {
  const entriesByName = new Map(entries.map((entry) => [entry.name, entry]));
  for (const { name } of entries) {
    for (let end = name.lastIndexOf("/"); end > 0; end = name.lastIndexOf("/", end - 1)) {
      const above = name.slice(0, end);
      if (entriesByName.has(above)) continue;
      entriesByName.set(above, { name: above, kind: "directory", mode: DIRECTORY_MODE });
    }
  }
  return [...entriesByName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Reads the entries of an archive of another program, with names relative to the root. */
export function* entriesIn(tar: Uint8Array): Generator<Entry> {
  const bytes = Buffer.from(tar.buffer, tar.byteOffset, tar.byteLength);
  const field = (offset: number, from: number, length: number) => {
    const raw = bytes.toString("utf8", offset + from, offset + from + length);
    return raw.split("\0")[0]!.trim();
  };
  for (let offset = 0; offset < bytes.length && bytes[offset] !== 0;) {
    const size = Number.parseInt(field(offset, 124, 12) || "0", 8);
    const kind = Object.entries(KINDS).find(([, sign]) => sign === field(offset, 156, 1))?.[0];
    const name = field(offset, 0, 100)
      .replace(/^\.?\//, "")
      .replace(/\/$/, "");
    if (kind === undefined)
      throw new Error(`${name} is of a kind that no package here should have`);
    const content = bytes.subarray(offset + BLOCK, offset + BLOCK + size);
    const mode = Number.parseInt(field(offset, 100, 8), 8) & 0o7777;
    const link = field(offset, 157, 100);
    if (name !== "") {
      yield { name, mode, bytes: content, kind: kind as keyof typeof KINDS, link };
    }
    offset += BLOCK * (1 + Math.ceil(size / BLOCK));
  }
}
