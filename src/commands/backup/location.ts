// Flags for the backup location: a directory, or a bucket with its own credentials.
import { resolve } from "node:path";
import { type BackupPlace, DEFAULT_DATA } from "../../contract/config.ts";
import { checkRecipients, identityIn } from "../../features/backup/work/packing.ts";
import { DEFAULT_KEEP, type BackupRetention } from "../../features/backup/rules.ts";
import { withoutEnd } from "../../text/trim.ts";
import { readText } from "../config/files.ts";
import { type Flags, UsageError, type Values, variableOf } from "../flags.ts";

export const data = {
  value: "DIR",
  default: DEFAULT_DATA,
  description: "the data directory",
} as const;

/** Flags of every backup command. */
export const locationFlags = {
  "backup-s3-endpoint": {
    value: "URL",
    description: "URL of the S3-compatible store, for s3://BUCKET/PREFIX",
  },
  "backup-s3-region": {
    value: "NAME",
    default: "us-east-1",
    description: "region of the backup bucket",
  },
  "backup-s3-access-key-id": {
    value: "KEY",
    secret: true,
    description: "the access key ID of the backup bucket",
  },
  "backup-s3-secret-access-key": {
    value: "KEY",
    secret: true,
    description: "the secret access key of the backup bucket",
  },
} as const satisfies Flags;

export const from = {
  value: "LOCATION",
  required: true,
  description: "location of the backups: a directory, or s3://BUCKET/PREFIX",
} as const;

export const identity = {
  value: "FILE",
  description: "file with the age private key (AGE-SECRET-KEY-…) that decrypts backups",
} as const;

const KEY_ID = variableOf("backup-s3-access-key-id");
const SECRET = variableOf("backup-s3-secret-access-key");

export const LOCATION_NOTES = `The keys of the backup bucket are read from ${KEY_ID} and
${SECRET}, or from their files.`;

const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]*)((?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)\/?$/;

export function locationIn(text: string, flags: Values<typeof locationFlags>): BackupPlace {
  const { "backup-s3-endpoint": value, "backup-s3-region": region } = flags;
  if (!text.startsWith("s3:")) return { directory: resolve(text) };
  const [, name, path = ""] = BUCKET.exec(text) ?? [];
  if (name === undefined) throw new UsageError(`${text} is not s3://BUCKET/PREFIX`);
  const url = URL.parse(value ?? "");
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "") {
    throw new UsageError("--backup-s3-endpoint must be a URL such as https://s3.example.com");
  }
  const { "backup-s3-access-key-id": access_key_id } = flags;
  const { "backup-s3-secret-access-key": secret_access_key } = flags;
  if (!access_key_id || !secret_access_key) {
    throw new UsageError(
      `${text} needs ${KEY_ID} and ${SECRET} in the environment, or their files`,
    );
  }
  const endpoint = withoutEnd(value!, /\//);
  const bucket = { endpoint, bucket: name, region, access_key_id, secret_access_key };
  return { bucket, prefix: path.slice(1) };
}

/** Parses the flag. Invalid keys are an error. */
export async function recipientsIn(text: string | undefined): Promise<string[]> {
  const recipients = (text ?? "").split(",").flatMap((item) => item.trim() || []);
  await checkRecipients(recipients);
  return recipients;
}

export async function identityOf(file: string | undefined): Promise<string | undefined> {
  return file === undefined ? undefined : identityIn(readText(file));
}

export const DEFAULT_KEEP_TEXT = Object.values(DEFAULT_KEEP).join(",");

/** `7,5,12`: days, weeks, months. */
export function keepIn(text: string, flag = "--keep"): BackupRetention {
  const [, daily, weekly, monthly] = /^(\d{1,4}),(\d{1,4}),(\d{1,4})$/.exec(text) ?? [];
  if (monthly === undefined)
    throw new UsageError(`${flag} must be DAYS,WEEKS,MONTHS, such as 7,5,12`);
  return { daily: Number(daily), weekly: Number(weekly), monthly: Number(monthly) };
}

/** Formats the counts of an organization: `12 accounts, 5 channels, …`. */
export function countsText(counts: Readonly<Record<string, number>>, files: number): string {
  const parts = ["users", "channels", "topics", "messages"].map((name) => {
    return `${counts[name] ?? 0} ${name === "users" ? "accounts" : name}`;
  });
  return [...parts, `${files} files`].join(", ");
}
