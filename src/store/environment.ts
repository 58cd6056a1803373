// Opens a database file for reading and writing.
import { open, type RootDatabase } from "lmdb";
import { keyEncoder } from "./key.ts";
import { checkIsWhole } from "./checksums/complete-file.ts";

const READERS_MAX = 128;

export interface Measures {
  readonly size_bytes: number;
  /** Free pages inside the file, which will be reused. */
  readonly free_bytes: number;
  readonly readers: number;
}

interface Stats {
  readonly pageSize: number;
  readonly lastPageNumber: number;
  readonly numReaders: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

export function measure(db: RootDatabase<Buffer, string>): Measures {
  const stats = (db as unknown as { getStats(): Stats }).getStats();
  const { pageSize, lastPageNumber, numReaders: readers } = stats;
  const used = stats.treeBranchPageCount + stats.treeLeafPageCount + stats.overflowPages;
  const size_bytes = (lastPageNumber + 1) * pageSize;
  return { size_bytes, free_bytes: Math.max(0, size_bytes - used * pageSize), readers };
}

/**
 * Releases reader slots of dead processes, whose pages would never be reused, and returns their
 * number.
 */
export function dropReaders(db: RootDatabase<Buffer, string>): number {
  return (db as unknown as { readerCheck(): number }).readerCheck();
}

export function environment(path: string): RootDatabase<Buffer, string> {
  checkIsWhole(path);
  return open<Buffer, string>({
    path,
    noSubdir: true,
    keyEncoder,
    encoding: "binary",
    overlappingSync: false,
    // The store commits one transaction at a time. A failed batch would leave a rejected promise
    // that nothing can handle.
    eventTurnBatching: false,
    // A second write starts the commit that the first would leave to the next turn of the event
    // loop.
    txnStartThreshold: 0.5,
    maxReaders: READERS_MAX,
    noReadAhead: true,
  } as object as Parameters<typeof open>[0] & { path: string });
}
