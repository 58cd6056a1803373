// Stores the bytes of files by name, in a directory or a bucket.
import { join } from "node:path";
import { perRealm, type Realm } from "../../realm.ts";
import { Directory } from "./directory.ts";
import type { Blobs } from "./blob-store.ts";
import { type Objects, BucketBlobs } from "./bucket.ts";

export const blobsOf: (realm: Realm) => Blobs = perRealm((realm) => {
  const directory = new Directory(join(realm.config.data, "uploads"));
  const objects = buckets.get(realm);
  if (objects === undefined) return directory;
  return new BucketBlobs(directory, objects, () => realm.read.realm.get(1)!.realm_uuid);
});

const buckets = new WeakMap<Realm, Objects>();

/** Must be called before any file of the realm is requested. */
export function setBucket(realm: Realm, objects: Objects): void {
  buckets.set(realm, objects);
}
