// Flags for the bucket with files, whose keys never appear on the command line.
import type { BucketConfig } from "../contract/config.ts";
import { withoutEnd } from "../text/trim.ts";
import { type Flags, UsageError, type Values, variableOf } from "./flags.ts";

export const bucketFlags = {
  "s3-endpoint": {
    value: "URL",
    description: "URL of an S3-compatible store for files, used instead of the data directory",
  },
  "s3-bucket": { value: "NAME", description: "bucket for files" },
  "s3-region": { value: "NAME", default: "us-east-1", description: "region of the bucket" },
  "s3-access-key-id": {
    value: "KEY",
    secret: true,
    description: "the access key ID of the bucket",
  },
  "s3-secret-access-key": {
    value: "KEY",
    secret: true,
    description: "the secret access key of the bucket",
  },
} as const satisfies Flags;

/** Returns undefined if files are stored in the data directory. */
export function bucketIn(flags: Values<typeof bucketFlags>): BucketConfig | undefined {
  const { "s3-endpoint": value, "s3-bucket": bucket, "s3-region": region } = flags;
  if (value === undefined && bucket === undefined) return undefined;
  if (value === undefined) throw new UsageError("--s3-bucket requires --s3-endpoint");
  if (bucket === undefined) throw new UsageError("--s3-endpoint requires --s3-bucket");
  const { "s3-access-key-id": access_key_id, "s3-secret-access-key": secret_access_key } = flags;
  if (!access_key_id || !secret_access_key) {
    const [id, secret] = [variableOf("s3-access-key-id"), variableOf("s3-secret-access-key")];
    throw new UsageError(`a bucket needs ${id} and ${secret} in the environment, or their files`);
  }
  const endpoint = endpointOf(value);
  return { endpoint, bucket, region, access_key_id, secret_access_key };
}

/** Rejects credentials in the URL. */
function endpointOf(text: string): string {
  const url = URL.parse(text);
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username === "" && url.search === "";
  if (!isPlain) throw new UsageError("--s3-endpoint must be a URL such as https://s3.example.com");
  return withoutEnd(text, /\//);
}
