// `skein backup run`: backs up a running server or a directory that is not in use.
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { ARCHIVE, type BackupResult, SNAPSHOTS } from "../../features/backup/run.ts";
import { bucketFlags, bucketIn } from "../bucket.ts";
import { executeCommand } from "../control.ts";
import { sizeText } from "../../store/system/system-errors.ts";
import { command, CommandError, UsageError } from "../flags.ts";
import { archiveOf } from "./archive.ts";
import {
  countsText,
  data,
  LOCATION_NOTES,
  locationFlags,
  locationIn,
  recipientsIn,
} from "./location.ts";

export const runBackup = command({
  description: "makes a backup, even while the server is running",
  examples: [
    "skein backup run --to /mnt/backups",
    "skein backup run --to s3://backups/skein --recipient age1example",
  ],
  flags: {
    data,
    to: {
      value: "LOCATION",
      required: true,
      description:
        "destination: a directory, s3://BUCKET/PREFIX, or - for one archive on standard output",
    },
    recipient: {
      value: "KEY,…",
      description: "age public keys (age1…) that the backup is encrypted to; required for buckets",
    },
    plain: { description: "allow an unencrypted archive on standard output" },
    "with-secrets": {
      description: "include the secrets file, even in unencrypted backups",
    },
    resend: { description: "send all files, including those that earlier backups contain" },
    ...locationFlags,
    ...bucketFlags,
    json: { description: "print the result as JSON" },
  },
  notes: `${LOCATION_NOTES}
If no server is running and files are in a bucket, pass --s3-endpoint and --s3-bucket.`,
  async run(flags) {
    const recipients = await recipientsIn(flags.recipient);
    const { resend, "with-secrets": with_secrets } = flags;
    const order = { recipients, resend, with_secrets };
    const bucket = bucketIn(flags);
    const bucketOption = bucket ? { bucket } : {};
    const make = async (to: Parameters<typeof executeCommand<"backUp">>[2]["to"]) =>
      executeCommand(flags.data, "backUp", { to, ...order }, bucketOption);
    if (flags.to !== "-") {
      report(await make(locationIn(flags.to, flags)), flags.to, flags.json, console.log);
      return;
    }
    if (recipients.length === 0 && !flags.plain) {
      throw new UsageError("an archive needs --recipient for encryption, or --plain for none");
    }
    const directory = `${resolve(flags.data)}/${SNAPSHOTS}/${ARCHIVE}${randomUUID()}`;
    try {
      const result = await make({ directory });
      await print(archiveOf(directory, "sets"));
      report(result, "the archive", flags.json, console.error);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
});

function report(
  result: BackupResult,
  location: string,
  json: boolean,
  printLine: (text: string) => void,
): void {
  if (json) printLine(JSON.stringify(result));
  else {
    printLine(`Stored ${result.id} in ${location}: ${countsText(result.counts, result.files)}.`);
    printLine(`${sizeText(result.bytes)}, of which ${sizeText(result.sent_bytes)} were sent now.`);
  }
  const { damage, missing } = result;
  if (damage.length + missing.length === 0) return;
  const problems = [...damage, ...missing.map((path) => `${path} is missing`)];
  throw new CommandError(
    `the backup was stored, but is incomplete: ${problems.slice(0, 5).join("; ")}`,
  );
}

/** Waits until standard output accepts the data. */
async function print(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const out = Bun.stdout.writer();
  for await (const piece of pieces) {
    await out.write(piece);
    await out.flush();
  }
  await out.end();
}
