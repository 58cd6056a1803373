// Flags of `skein serve` for the nightly backup.
import type { BackupConfig } from "../../contract/config.ts";
import { type Flags, UsageError, type Values } from "../flags.ts";
import {
  DEFAULT_KEEP_TEXT,
  identityOf,
  keepIn,
  locationFlags,
  locationIn,
  recipientsIn,
} from "./location.ts";

export const nightlyFlags = {
  "backup-to": {
    value: "LOCATION",
    description: "location of the nightly backup: a directory, or s3://BUCKET/PREFIX",
  },
  "backup-at": {
    value: "HH:MM",
    default: "03:00",
    description: "time of the nightly backup, in the time zone of this machine",
  },
  "backup-recipients": {
    value: "KEY,…",
    description: "age public keys (age1…) that backups are encrypted to; required for buckets",
  },
  "backup-identity": {
    value: "FILE",
    description:
      "the age private key that decrypts backups for the restore test; if unset, no test is run",
  },
  "backup-with-secrets": {
    description: "include the secrets file, even in unencrypted backups",
  },
  "backup-keep": {
    value: "DAYS,WEEKS,MONTHS",
    default: DEFAULT_KEEP_TEXT,
    description: "number of days, weeks and months whose newest backup is kept",
  },
  ...locationFlags,
} as const satisfies Flags;

/** Returns undefined if there is no nightly backup. */
export async function nightlyIn(
  flags: Values<typeof nightlyFlags>,
): Promise<BackupConfig | undefined> {
  const { "backup-to": path, "backup-recipients": keys, "backup-identity": file } = flags;
  if (path === undefined) return undefined;
  const to = locationIn(path, flags);
  const recipients = await recipientsIn(keys);
  if ("bucket" in to && recipients.length === 0) {
    throw new UsageError(
      "--backup-to with a bucket requires --backup-recipients, to encrypt the backups",
    );
  }
  const identity = await identityOf(file);
  return {
    to,
    recipients,
    ...(identity !== undefined && { identity }),
    at_minutes: minutesIn(flags["backup-at"]),
    keep: keepIn(flags["backup-keep"], "--backup-keep"),
    with_secrets: flags["backup-with-secrets"],
  };
}

const HOUR_MINUTES = 60;

function minutesIn(text: string): number {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (minutes === undefined)
    throw new UsageError("--backup-at must be a time of day, such as 03:00");
  return Number(hours) * HOUR_MINUTES + Number(minutes);
}
