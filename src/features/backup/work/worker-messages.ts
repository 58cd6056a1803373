// Messages between the server and its backup worker.
import type { Walked } from "../../../store/copy/walk.ts";
import type { SearchFaults } from "../../search/verify.ts";
import type { ReferencedPath } from "./file-paths.ts";

/** A file on this machine, or chunks that the worker requests one by one. */
export type ObjectSource = { readonly path: string } | { readonly path?: undefined };

export interface MeasuredObject {
  size: number;
  sha256: string;
}

export interface NamedObject {
  organization: string;
  name: string;
  places: ReferencedPath[];
}

export interface PackOptions {
  readonly is_compressed: boolean;
  /** Public keys of age; without any, nothing is encrypted. */
  readonly recipients: readonly string[];
}

/** Each request, with its result. */
export interface WorkerRequests {
  /** Copies the data from one consistent state. Rejects damaged pages. */
  copy: { readonly in: { from: string; to: string }; readonly out: null };
  /** Reads a copy of the data completely. */
  walk: { readonly in: { path: string; deep: boolean }; readonly out: Walked };
  /** Compares the search index with the messages. */
  search: { readonly in: { path: string }; readonly out: SearchFaults };
  /** Names the organization and all stored files that a database copy refers to. */
  named: { readonly in: { path: string }; readonly out: NamedObject };
  measure: { readonly in: ObjectSource; readonly out: MeasuredObject };
  /** Returns the packed chunks, and their total size and checksum. */
  pack: { readonly in: ObjectSource & PackOptions; readonly out: MeasuredObject };
}

export type WorkerRequestName = keyof WorkerRequests;

export type MessageToWorker =
  | {
      readonly [N in WorkerRequestName]: {
        readonly order: N;
        readonly input: WorkerRequests[N]["in"];
      };
    }[WorkerRequestName]
  /** null at the end. */
  | { readonly input_piece: Uint8Array | null }
  /** The receiver took one chunk. */
  | { readonly is_taken: true };

export type MessageFromWorker =
  | { readonly done: unknown }
  | { readonly failed: FailedWork }
  | { readonly piece: Uint8Array }
  | { readonly wants: true }
  /** Reports that the work is still in progress. */
  | { readonly is_at_it: true };

/** `code`, `syscall` and `path` belong to failed system calls. */
export interface FailedWork {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly syscall?: string;
  readonly path?: string;
}
