/** Builds a snapshot of objects that have only the fields that a test needs. */
import type { Snapshot } from "../../src/web/contract/snapshot.ts";

type DeepPartial<T> = T extends readonly (infer I)[]
  ? readonly DeepPartial<I>[]
  : T extends object
    ? { [K in keyof T]?: DeepPartial<T[K]> }
    : T;

// The code under test reads no other fields.
export const snapshotOf = (fields: DeepPartial<Snapshot>): Snapshot => fields as Snapshot;
