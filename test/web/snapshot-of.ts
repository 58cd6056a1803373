/** Builds a snapshot of objects that have only the fields that a test needs. */
import type { Snapshot } from "../../src/web/contract/snapshot.ts";

type Some<T> = T extends readonly (infer I)[]
  ? readonly Some<I>[]
  : T extends object
    ? { [K in keyof T]?: Some<T[K]> }
    : T;

// The code under test reads no other fields.
export const snapshotOf = (fields: Some<Snapshot>): Snapshot => fields as Snapshot;
