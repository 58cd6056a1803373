// The bucket that files are kept in: named by flags, with keys that only the environment holds.
import type { BucketConfig } from "../config.ts";
import { type Environment, type Flags, UsageError, type Values } from "./flags.ts";

export const bucketFlags = {
  "s3-endpoint": {
    value: "URL",
    about: "the address of an S3-compatible store that keeps files, in place of the data directory",
  },
  "s3-bucket": { value: "NAME", about: "the bucket there" },
  "s3-region": { value: "NAME", otherwise: "us-east-1", about: "the region of the bucket" },
} as const satisfies Flags;

const KEY_ID = "SKEIN_S3_ACCESS_KEY_ID";
const SECRET = "SKEIN_S3_SECRET_ACCESS_KEY";

export const BUCKET_NOTES = `The keys to the bucket are read from ${KEY_ID} and
${SECRET}, and from nowhere else.`;

/** undefined: files are kept in the data directory. */
export function bucketIn(
  flags: Values<typeof bucketFlags>,
  environment: Environment = process.env,
): BucketConfig | undefined {
  const { "s3-endpoint": given, "s3-bucket": bucket, "s3-region": region } = flags;
  if (given === undefined && bucket === undefined) return undefined;
  if (given === undefined) throw new UsageError("--s3-bucket goes with --s3-endpoint");
  if (bucket === undefined) throw new UsageError("--s3-endpoint goes with --s3-bucket");
  const access_key_id = environment[KEY_ID];
  const secret_access_key = environment[SECRET];
  if (!access_key_id || !secret_access_key) {
    throw new UsageError(`a bucket needs ${KEY_ID} and ${SECRET} in the environment`);
  }
  const endpoint = endpointOf(given);
  return { endpoint, bucket, region, access_key_id, secret_access_key };
}

/** Keys stand in no address. */
function endpointOf(text: string): string {
  const url = URL.parse(text);
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username === "" && url.search === "";
  if (!isPlain) throw new UsageError("--s3-endpoint is an address such as https://s3.example.com");
  return text.replace(/\/+$/, "");
}
