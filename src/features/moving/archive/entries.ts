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

export const ENTRIES_MAX = 200_000;
export const ARCHIVE_BYTES_MAX = 64 * 1_073_741_824;

/** Rejects names that lead out of the archive or that are invalid as file names. */
export function checkName(name: string): void {
  const parts = name.replace(/\/$/, "").split("/");
  const isPlain = parts.every((part) => part !== "" && part !== "." && part !== "..");
  if (isPlain && !/[\0\\]/.test(name) && !/^[A-Za-z]:/.test(name)) return;
  throw new MovingRefused("the name of the entry leads out of the archive", JSON.stringify(name));
}

export function checkCount(entries: number): void {
  if (entries > ENTRIES_MAX) throw new MovingRefused(`has more than ${ENTRIES_MAX} entries`);
}

export function checkTotal(bytes: number): void {
  if (bytes <= ARCHIVE_BYTES_MAX) return;
  throw new MovingRefused(`has more than ${ARCHIVE_BYTES_MAX / 1_073_741_824} GiB when unpacked`);
}
