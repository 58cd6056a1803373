// Messages between the server and its backup worker.
import type { Walked } from "../../../store/copy/walk.ts";
import type { SearchFaults } from "../../search/verify.ts";
import type { NamedPlace } from "./places.ts";

/** A file on this machine, or pieces that the worker asks for one by one. */
export type From = { readonly path: string } | { readonly path?: undefined };

export interface Measured {
  size: number;
  sha256: string;
}

export interface Named {
  organization: string;
  name: string;
  places: NamedPlace[];
}

export interface Packing {
  readonly is_compressed: boolean;
  /** Public keys of age; without any, nothing is encrypted. */
  readonly recipients: readonly string[];
}

/** Each order, with what comes of it. */
export interface Orders {
  /** Copies the data, whose pages are held meanwhile; refuses pages that are damaged. */
  copy: { readonly in: { from: string; to: string }; readonly out: null };
  /** Reads a copy of the data from end to end. */
  walk: { readonly in: { path: string; deep: boolean }; readonly out: Walked };
  /** Compares the search index with the messages. */
  search: { readonly in: { path: string }; readonly out: SearchFaults };
  /** Names the organization and all stored files that a database copy refers to. */
  named: { readonly in: { path: string }; readonly out: Named };
  measure: { readonly in: From; readonly out: Measured };
  /** Gives pieces, and what they are together. */
  pack: { readonly in: From & Packing; readonly out: Measured };
}

export type OrderName = keyof Orders;

export type ToWorker =
  | { readonly [N in OrderName]: { readonly order: N; readonly input: Orders[N]["in"] } }[OrderName]
  /** null: that was all. */
  | { readonly input_piece: Uint8Array | null }
  /** The receiver took one chunk. */
  | { readonly is_taken: true };

export type FromWorker =
  | { readonly done: unknown }
  | { readonly failed: { name: string; message: string } }
  | { readonly piece: Uint8Array }
  | { readonly wants: true }
  /** It still works. */
  | { readonly is_at_it: true };
