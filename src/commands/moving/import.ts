// `skein import …`: plan, run, status and undo of moving an organization in.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { planJsonl } from "../../features/moving/jsonl/import-later.ts";
import { isJsonlExport } from "../../features/moving/jsonl/format.ts";
import { type OnProgress, watchProgress } from "../../features/moving/progress.ts";
import { MovingRefused } from "../../features/moving/refused.ts";
import { carryOut, isHeld } from "../control.ts";
import { command, UsageError } from "../flags.ts";
import { data } from "../organization/org.ts";
import { printReport } from "./printed-report.ts";

const from = {
  value: "PATH",
  required: true,
  about: "the archive: the folder of a JSONL export, or a Slack export as a zip file or folder",
} as const;
const json = { about: "prints the report as JSON" } as const;

const CODES = `Exit codes: 0 complete, 1 broken off (run the same command again to resume),
3 complete with losses that the report lists, 4 refused before anything was written.`;

export const planImport = command({
  about: "reads an archive, reports what an import would do, and writes nothing",
  examples: ["skein import plan --from /mnt/export --data /var/lib/skein"],
  flags: { data, from, json },
  notes: CODES,
  async run({ data: directory, from: path, json: asJson }) {
    const archive = resolve(path);
    const isFounding = checkPaths(directory, archive);
    const report = isFounding
      ? await planJsonl(undefined, archive)
      : await carryOut(directory, "planImport", { from: archive });
    return printReport(report, asJson);
  },
});

export const runImport = command({
  about: "imports an archive, or resumes an import that broke off",
  examples: [
    "skein import run --from /mnt/export --data /var/lib/skein",
    "skein import run --from slack-export.zip",
  ],
  flags: { data, from, json },
  notes: `A JSONL export founds an organization: the data directory must not have one. A Slack
export is imported into an organization, while its server runs or not. Nothing is sent to anybody.
If the same archive was imported before, only what is missing is written.
${CODES}`,
  async run({ data: directory, from: path, json: asJson }) {
    const archive = resolve(path);
    const isFounding = checkPaths(directory, archive);
    watchProgress(asJson ? undefined : progressLine());
    const isServed = !isFounding && isHeld(directory);
    const asking = !asJson && isServed ? askProgress(directory) : undefined;
    try {
      const report = await carryOut(directory, "runImport", { from: archive });
      return printReport(report, asJson);
    } finally {
      clearInterval(asking);
      watchProgress(undefined);
    }
  },
});

export const importStatus = command({
  about: "lists the imports of an organization",
  examples: ["skein import status", "skein import status --json"],
  flags: { data, json: { about: "prints a line of JSON for each import" } },
  async run({ data: directory, json: asJson }) {
    for (const run of await carryOut(directory, "importStatus", {})) {
      if (asJson) {
        console.log(JSON.stringify(run));
        continue;
      }
      const rows = Object.values(run.counts).reduce((sum, count) => sum + count, 0);
      const begun = new Date(run.started * 1000).toISOString();
      console.log(`${run.import_id}  ${run.state}  ${run.product}  ${rows} rows  ${begun}`);
      console.log(`   ${run.path}`);
      const files = run.files_to_fetch;
      if (files > 0) console.log(`   ${files} files are yet to be fetched`);
    }
  },
});

export const undoImport = command({
  about: "deletes what an import wrote, unless people have changed it since",
  examples: ["skein import undo --id 1"],
  flags: {
    data,
    id: { value: "NUMBER", required: true, about: "the import, as skein import status lists it" },
    json,
  },
  notes: `Messages that people wrote since are left, and the report lists what is left with the
reason. If the import founded the organization and it has been used since, nothing is deleted.
Exit codes: 0 undone, 3 some rows are left, 4 refused.`,
  async run({ data: directory, id, json: asJson }) {
    if (!/^\d{1,9}$/.test(id)) throw new UsageError("--id is the number of an import");
    const report = await carryOut(directory, "undoImport", { id: Number(id) });
    return printReport(report, asJson);
  },
});

/** Whether the import founds an organization in a directory that is yet to be. */
function checkPaths(directory: string, archive: string): boolean {
  if (!existsSync(archive)) throw new MovingRefused("does not exist", archive);
  if (existsSync(`${resolve(directory)}/data.mdb`)) return false;
  if (isJsonlExport(archive)) return true;
  const words = `${resolve(directory)} has no organization to import into`;
  throw new MovingRefused(`${words}. Set one up first: skein init`);
}

/** A server that runs is asked how far it is. */
function askProgress(directory: string): ReturnType<typeof setInterval> {
  let last = 0;
  const look = async () => {
    const runs = await carryOut(directory, "importStatus", {}).catch(() => []);
    const running = runs.find(({ state }) => state === "running");
    const rows = Object.values(running?.counts ?? {}).reduce((sum, count) => sum + count, 0);
    if (rows > last) process.stderr.write(`${rows} rows\n`);
    last = Math.max(rows, last);
  };
  return setInterval(() => void look(), PROGRESS_MS);
}

const PROGRESS_MS = 2_000;
const ROWS_A_LINE = 10_000;

function progressLine(): OnProgress {
  return (written, found) => {
    if (written % ROWS_A_LINE === 0) process.stderr.write(`${written} of ${found} rows\n`);
  };
}
