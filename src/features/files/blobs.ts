// Where the bytes of files are kept: by name, in a directory; a bucket could take its place.
import { join } from "node:path";
import { perRealm, type Realm } from "../../realm.ts";
import { Directory } from "./directory.ts";

/**
 * A name is a path of plain words. Whatever resolves is durable. What is not whole yet is a draft,
 * which has a single word for a name and is found by nobody who looks for a file.
 */
export interface Blobs {
  /** Adds to the end of a draft, and makes it if need be. */
  append(draft: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Its bytes so far; undefined: there is none. */
  draft(draft: string): Promise<Blob | undefined>;
  /** Makes a file of a draft. */
  keep(draft: string, name: string): Promise<void>;
  drop(draft: string): Promise<void>;
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Its bytes, not read yet; undefined: there is none. */
  find(name: string): Promise<Blob | undefined>;
  delete(name: string): Promise<void>;
  /** The drafts that nobody has added to since then. */
  draftsBefore(time_ms: number): Promise<string[]>;
  /** The names right below this one that are older. */
  namesBefore(folder: string, time_ms: number): Promise<string[]>;
}

export const blobsOf: (realm: Realm) => Blobs = perRealm(
  ({ config }) => new Directory(join(config.data, "uploads")),
);
