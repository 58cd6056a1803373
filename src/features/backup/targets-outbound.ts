// Opens the directory or bucket for backups that the configuration names.
import { join } from "node:path";
import type { BackupPlace } from "../../contract/config.ts";
import { Bucket } from "../../outbound/bucket.ts";
import { BucketTarget } from "./bucket-target.ts";
import { DirectoryTarget } from "./directory-target.ts";
import { SNAPSHOTS, SPOOL } from "./run.ts";
import type { Target } from "./work/target.ts";

/** `data`: the data directory, where uploads to a bucket may be buffered. */
export function openTarget(location: BackupPlace, data: string): Target {
  if ("directory" in location) return new DirectoryTarget(location.directory);
  const { bucket, prefix } = location;
  const name = ["s3:/", bucket.bucket, prefix].filter((word) => word !== "").join("/");
  return new BucketTarget(name, new Bucket(bucket), prefix, join(data, SNAPSHOTS, SPOOL));
}
