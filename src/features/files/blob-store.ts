// Interface of a place for the bytes of files.
import type { ByteRange } from "./rules.ts";

/** Stored bytes that are read on demand. */
export interface StoredBlob {
  readonly size: number;
  /** Path, if the bytes are a local file. */
  readonly path?: string;
  /** The bytes of a range, or all. */
  body(span?: ByteRange): Promise<Blob | Uint8Array<ArrayBuffer> | ReadableStream>;
  /** All bytes in memory; only for files that are known to be small. */
  content(): Promise<Blob>;
}

/**
 * A name is a relative path of safe characters. Resolved promises mean durable data. An incomplete
 * file is a draft, which has a name without slashes and cannot be found as a file.
 */
export interface Blobs {
  /** Appends to a draft, and creates it if necessary. */
  append(draft: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** The bytes so far, which are always on the local disk; undefined if there is no such draft. */
  draft(draft: string): Promise<Blob | undefined>;
  /** Turns a draft into a file. */
  store(draft: string, name: string): Promise<void>;
  drop(draft: string): Promise<void>;
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** undefined if there is no such file. */
  find(name: string): Promise<StoredBlob | undefined>;
  delete(name: string): Promise<void>;
  /** The drafts that have not been changed since then. */
  draftsBefore(time_ms: number): Promise<string[]>;
  /** The older names directly below this one. */
  namesBefore(folder: string, time_ms: number): Promise<string[]>;
  /** Deletes everything, including drafts. */
  deleteAll(): Promise<void>;
}
