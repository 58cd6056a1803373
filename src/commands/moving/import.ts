// `skein import …`: plan, run, status and undo of moving an organization in.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { planJsonl } from "../../features/moving/jsonl/import-later.ts";
import { type OnProgress, watchProgress } from "../../features/moving/progress.ts";
import { carryOut } from "../control.ts";
import { command, UsageError } from "../flags.ts";
import { data } from "../organization/org.ts";
import { printReport } from "./printed-report.ts";

const from = {
  value: "PATH",
  required: true,
  about: "the folder of a JSONL export",
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
    const isNew = !existsSync(`${resolve(directory)}/data.mdb`);
    const report = isNew
      ? await planJsonl(undefined, archive)
      : await carryOut(directory, "planImport", { from: archive });
    return printReport(report, asJson);
  },
});

export const runImport = command({
  about: "imports an archive, or resumes an import that broke off",
  examples: ["skein import run --from /mnt/export --data /var/lib/skein"],
  flags: { data, from, json },
  notes: `A JSONL export founds an organization: the data directory must not have one. Nothing is
sent to anybody. If the same archive was imported before, only what is missing is written.
${CODES}`,
  async run({ data: directory, from: path, json: asJson }) {
    watchProgress(asJson ? undefined : progressLine());
    try {
      const report = await carryOut(directory, "runImport", { from: resolve(path) });
      return printReport(report, asJson);
    } finally {
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
  notes: `If an organization was founded by the import and has been used since, nothing is deleted:
the report lists what was done since. Exit codes: 0 undone, 4 refused.`,
  async run({ data: directory, id, json: asJson }) {
    if (!/^\d{1,9}$/.test(id)) throw new UsageError("--id is the number of an import");
    const report = await carryOut(directory, "undoImport", { id: Number(id) });
    return printReport(report, asJson);
  },
});

const ROWS_A_LINE = 10_000;

function progressLine(): OnProgress {
  return (written, found) => {
    if (written % ROWS_A_LINE === 0) process.stderr.write(`${written} of ${found} rows\n`);
  };
}
