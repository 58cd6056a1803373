// Interface of an archive, and the limits of its names, counts and sizes.
import { MovingRefused } from "../errors.ts";

export interface Archive {
  /** Sizes in bytes, by name. */
  readonly sizes: ReadonlyMap<string, number>;
  /** The bytes of an entry, or of a part of it, in pieces. */
  stream(name: string, span?: Span): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** A part of an entry; `to` is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const ENTRIES_MAX = 200_000;
const ARCHIVE_BYTES_MAX = 64 * 1_073_741_824;

/** Rejects names that lead out of the archive or that are invalid as file names. */
export function checkName(name: string): void {
  const parts = name.replace(/\/$/, "").split("/");
  const isPlain = parts.every((part) => part !== "" && part !== "." && part !== "..");
  if (isPlain && !/[\0\\]/.test(name) && !/^[A-Za-z]:/.test(name)) return;
  throw new MovingRefused("the name of the entry leads out of the archive", JSON.stringify(name));
}

/**
 * The folder that has one of the files, "" or with a slash at its end: the one that contains
 * everything, or a folder in it. undefined: none has them, or several have.
 */
export function folderWith(
  { sizes }: Pick<Archive, "sizes">,
  files: readonly string[],
): string | undefined {
  const names = [...sizes.keys()].filter((name) => !isOfSystem(name));
  const top = commonFolder(names);
  const hasFile = (folder: string) => files.some((file) => sizes.has(folder + file));
  if (hasFile(top)) return top;
  const inside = new Set(names.map((name) => name.slice(0, name.indexOf("/", top.length) + 1)));
  const roots = [...inside].filter((folder) => folder.length > top.length && hasFile(folder));
  return roots.length === 1 ? roots[0] : undefined;
}

/** Files that macOS adds to folders and zip files. */
export const isOfSystem = (name: string) => /(?:^|\/)(?:__MACOSX\/|\.DS_Store$)/.test(name);

/** The folder that contains everything, "" or with a slash at its end. */
export function commonFolder(names: readonly string[]): string {
  let folder = names[0] ?? "";
  for (const name of names) {
    while (!name.startsWith(folder) || !/(?:^|\/)$/.test(folder)) {
      folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
    }
  }
  return folder;
}

export function checkCount(entries: number): void {
  if (entries > ENTRIES_MAX) throw new MovingRefused(`has more than ${ENTRIES_MAX} entries`);
}

export function checkTotal(bytes: number): void {
  if (bytes <= ARCHIVE_BYTES_MAX) return;
  throw new MovingRefused(`has more than ${ARCHIVE_BYTES_MAX / 1_073_741_824} GiB when unpacked`);
}
