// `skein import …`: plans, runs, reports and undoes imports.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { MovingRefused } from "../../features/moving/errors.ts";
import { isServerUrl } from "../../features/moving/source/links.ts";
import type { ImportChoices } from "../../features/moving/products/import-jobs.ts";
import { readText } from "../config/files.ts";
import { executeCommand, isInUse } from "../control.ts";
import { rowsIn } from "../csv.ts";
import { command, CommandError, UsageError } from "../flags.ts";
import { data } from "../organization/org.ts";
import { printReport } from "./printed-report.ts";
import { showProgress } from "./progress-lines.ts";

const from = {
  value: "PATH",
  required: true,
  description:
    "an export of Skein, Zulip, Slack, Mattermost, Rocket.Chat, Campfire, Discord or Teams",
} as const;
const json = { description: "print the report as JSON" } as const;

const choices = {
  people: {
    value: "FILE",
    description: "CSV file: user id or address in the archive, address on this server, role",
  },
  roles: {
    value: "keep|members",
    description: "keep: roles as in the archive; members: all users become members or guests",
  },
  emoji: {
    value: "DIR",
    description: "a folder with the custom emoji of Slack, one picture each, named after the emoji",
  },
  channels: {
    value: "private|public",
    description: "privacy of channels if the archive does not state it (default: private)",
  },
  "old-url": {
    value: "URL",
    description:
      "URL of the old server; links to its messages and channels become links to this server",
  },
} as const;

const CODES = `Exit codes: 0 complete, 1 interrupted (run the same command again to resume),
3 complete with losses that the report lists, 4 rejected before anything was written.`;

export const planImport = command({
  description: "reads an archive, reports what an import would do, and writes nothing",
  examples: ["skein import plan --from /mnt/export --data /var/lib/skein"],
  flags: { data, from, ...choices, json },
  notes: CODES,
  async run({ data: directory, from: path, json: asJson, ...chosen }) {
    const archive = resolve(path);
    const input = choicesOf(chosen);
    const format = await checkPaths(directory, archive);
    const report = format
      ? await planNewOrganization(format, archive, input)
      : await executeCommand(directory, "planImport", { from: archive, ...input });
    return printReport(report, asJson);
  },
});

export const runImport = command({
  description: "imports an archive, or resumes an interrupted import",
  examples: [
    "skein import run --from /mnt/export --data /var/lib/skein",
    "skein import run --from slack-export.zip",
  ],
  flags: { data, from, ...choices, json },
  notes: `A JSONL or Zulip import creates an organization: the data directory must not contain one.
Other exports are imported into an existing one, whether its server is running or not.
Progress is shown on standard error: as a bar in a terminal, otherwise as lines of JSON.
Users are not notified. If the same archive was imported before, only missing data is written.
${CODES}`,
  async run({ data: directory, from: path, json: asJson, ...chosen }) {
    const archive = resolve(path);
    const input = choicesOf(chosen);
    const isFounding = (await checkPaths(directory, archive)) !== undefined;
    const isServed = !isFounding && isInUse(directory);
    const endProgress = showProgress(isServed ? directory : undefined);
    try {
      const report = await executeCommand(directory, "runImport", { from: archive, ...input });
      return printReport(report, asJson);
    } finally {
      endProgress();
    }
  },
});

export const importStatus = command({
  description: "lists the imports of an organization",
  examples: ["skein import status", "skein import status --json"],
  flags: { data, json: { description: "print one JSON object per import" } },
  async run({ data: directory, json: asJson }) {
    for (const run of await executeCommand(directory, "importStatus", {})) {
      if (asJson) {
        console.log(JSON.stringify(run));
        continue;
      }
      const rows = Object.values(run.counts).reduce((sum, count) => sum + count, 0);
      const startTime = new Date(run.started * 1000).toISOString();
      console.log(`${run.import_id}  ${run.state}  ${run.product}  ${rows} rows  ${startTime}`);
      console.log(`   ${run.path}`);
      const files = run.files_to_fetch;
      if (files > 0) console.log(`   ${files} files are still to be downloaded`);
    }
  },
});

export const undoImport = command({
  description: "deletes what an import wrote, unless users have changed it since",
  examples: ["skein import undo --id 1"],
  flags: {
    data,
    id: {
      value: "NUMBER",
      required: true,
      description: "number of the import, from skein import status",
    },
    json,
  },
  notes: `Messages that users wrote since then are kept, and the report lists what is kept and why.
If the import created the organization and it has been used since, nothing is deleted.
Exit codes: 0 undone, 3 some rows were kept, 4 rejected.`,
  async run({ data: directory, id, json: asJson }) {
    if (!/^\d{1,9}$/.test(id)) throw new UsageError("--id must be the number of an import");
    const report = await executeCommand(directory, "undoImport", { id: Number(id) });
    return printReport(report, asJson);
  },
});

interface ImportFlags {
  readonly people: string | undefined;
  readonly roles: string | undefined;
  readonly emoji: string | undefined;
  readonly channels: string | undefined;
  readonly "old-url": string | undefined;
}

function choicesOf({ people, roles, emoji, channels, ...more }: ImportFlags): ImportChoices {
  const { "old-url": old_url } = more;
  if (channels !== undefined && channels !== "private" && channels !== "public") {
    throw new UsageError("--channels is private or public");
  }
  if (roles !== undefined && roles !== "keep" && roles !== "members") {
    throw new UsageError("--roles is keep or members");
  }
  if (old_url !== undefined && !isServerUrl(old_url)) {
    throw new UsageError("--old-url is an address such as https://chat.example.com");
  }
  return {
    ...(people !== undefined && { people: peopleIn(people) }),
    ...(roles !== undefined && { roles }),
    ...(emoji !== undefined && { emoji: resolve(emoji) }),
    ...(channels !== undefined && { channels }),
    ...(old_url !== undefined && { old_url }),
  };
}

function peopleIn(path: string): string[][] {
  try {
    return rowsIn(readText(path));
  } catch (error) {
    const { message } = error as Error;
    throw error instanceof CommandError
      ? new MovingRefused(message)
      : new MovingRefused(message, path);
  }
}

/** The readers are loaded for an import only, to keep the start of the server fast. */
async function planNewOrganization(
  format: "jsonl" | "zulip",
  archive: string,
  input: ImportChoices,
) {
  if (format === "jsonl") {
    const { planJsonl } = await import("../../features/moving/jsonl/import-jobs.ts");
    return planJsonl(undefined, archive);
  }
  const { planZulip } = await import("../../features/moving/zulip/import-jobs.ts");
  const { optionsOf } = await import("../../features/moving/products/import-jobs.ts");
  return planZulip(undefined, archive, optionsOf(input));
}

/** Rejects archives that cannot create an organization if the data directory does not exist yet. */
async function checkPaths(
  directory: string,
  archive: string,
): Promise<"jsonl" | "zulip" | undefined> {
  if (!existsSync(archive)) throw new MovingRefused("does not exist", archive);
  if (existsSync(`${resolve(directory)}/data.mdb`)) return undefined;
  const { isJsonlExport } = await import("../../features/moving/jsonl/format.ts");
  if (isJsonlExport(archive)) return "jsonl";
  const { isZulipExport } = await import("../../features/moving/zulip/read/detect.ts");
  if (await isZulipExport(archive)) return "zulip";
  const text = `${resolve(directory)} has no organization to import into`;
  throw new MovingRefused(`${text}. Create one first: skein init`);
}
