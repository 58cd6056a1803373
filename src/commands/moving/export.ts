// `skein export jsonl`: everything in an organization, as lines of JSON.
import { resolve } from "node:path";
import { carryOut } from "../control.ts";
import { command } from "../flags.ts";
import { data } from "../organization/org.ts";
import { printReport } from "./printed-report.ts";

export const exportAsJsonl = command({
  about: "exports the whole organization as JSON lines, while people use it",
  examples: ["skein export jsonl --to /mnt/export"],
  flags: {
    data,
    to: { value: "DIR", required: true, about: "the folder to write, which must be new or empty" },
    json: { about: "prints the report as JSON" },
  },
  notes: `The export contains direct messages, password hashes and API keys in a form that opens
accounts: keep it as safe as the data directory. docs/moving/jsonl.md describes every file and
field. Exit codes: 0 complete, 3 some files were missing, 4 refused.`,
  async run({ data: directory, to, json }) {
    const report = await carryOut(directory, "exportJsonl", { to: resolve(to) });
    return printReport(report, json);
  },
});
