// Interface of a place for the bytes of files.
import type { Span } from "./rules.ts";

/** Bytes that are kept, and not read yet. */
export interface Kept {
  readonly size: number;
  /** Path, if the bytes are a local file. */
  readonly path?: string;
  /** The bytes of a range, or all. */
  body(span?: Span): Promise<Blob | Uint8Array<ArrayBuffer> | ReadableStream>;
  /** All of them, held at once if need be: for files that are known to be small. */
  whole(): Promise<Blob>;
}

/**
 * A name is a path of plain words. Whatever resolves is durable. What is not whole yet is a draft,
 * which has a single word for a name and is found by nobody who looks for a file.
 */
export interface Blobs {
  /** Adds to the end of a draft, and makes it if need be. */
  append(draft: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Its bytes so far, which are always on the disk; undefined: there is none. */
  draft(draft: string): Promise<Blob | undefined>;
  /** Makes a file of a draft. */
  keep(draft: string, name: string): Promise<void>;
  drop(draft: string): Promise<void>;
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** undefined: there is none. */
  find(name: string): Promise<Kept | undefined>;
  delete(name: string): Promise<void>;
  /** The drafts that nobody has added to since then. */
  draftsBefore(time_ms: number): Promise<string[]>;
  /** The names right below this one that are older. */
  namesBefore(folder: string, time_ms: number): Promise<string[]>;
  /** Deletes everything, including drafts. */
  deleteAll(): Promise<void>;
}
