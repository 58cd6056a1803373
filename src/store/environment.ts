// Opens a database file to read and to write it.
import { open, type RootDatabase } from "lmdb";
import { keyEncoder } from "./key.ts";
import { checkIsWhole } from "./seal/whole.ts";

const READERS_MAX = 128;

export interface Measures {
  readonly size_bytes: number;
  /** Of these, what nothing is in; it is used again. */
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
  const told = (db as unknown as { getStats(): Stats }).getStats();
  const { pageSize, lastPageNumber, numReaders: readers } = told;
  const used = told.treeBranchPageCount + told.treeLeafPageCount + told.overflowPages;
  const size_bytes = (lastPageNumber + 1) * pageSize;
  return { size_bytes, free_bytes: Math.max(0, size_bytes - used * pageSize), readers };
}

/** Those of processes that died, whose pages would never be used again; says how many. */
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
    // The store makes one commit at a time, and a batch that fails would leave a rejected promise
    // behind that nobody can handle.
    eventTurnBatching: false,
    // A second write begins what the first one would leave to a turn of the loop.
    txnStartThreshold: 0.5,
    maxReaders: READERS_MAX,
    noReadAhead: true,
  } as object as Parameters<typeof open>[0] & { path: string });
}
