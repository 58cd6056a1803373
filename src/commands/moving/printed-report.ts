// Prints the report of an import or export, and returns its exit code.
import type { MovingReport } from "../../features/moving/report.ts";

const VERBS: Readonly<Record<MovingReport["outcome"], string>> = {
  planned: "This is a plan; nothing was written",
  imported: "The import is complete",
  exported: "The export is complete",
  undone: "The import was undone",
  refused: "Rejected: nothing was written",
  broken: "The import was interrupted. Run the same command again to resume it",
};

/** Returns the exit code. */
export function printReport(report: MovingReport, asJson: boolean): number {
  const lines = asJson ? [JSON.stringify(report)] : linesOf(report);
  for (const line of lines) console.log(printable(line));
  return report.exit;
}

/** Archives choose the names of entries, which could send commands to the terminal. */
const printable = (line: string) =>
  line.replaceAll(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const UNPRINTABLE = /[\p{Cc}\p{Bidi_Control}]/gu;

function* linesOf(report: MovingReport): Iterable<string> {
  const { outcome, product, path, found, written, oldest, newest, losses, faults } = report;
  yield `${product}: ${path}`;
  if (oldest !== null && newest !== null) yield `Messages from ${day(oldest)} to ${day(newest)}.`;
  for (const [table, count] of Object.entries(found)) {
    yield `${String(count).padStart(10)}  ${table}`;
  }
  if (outcome === "imported") yield writtenRows(written);
  for (const { kind, count, examples } of losses) {
    yield `Loss (${count}): ${kind} ${examples.join(", ")}`;
  }
  for (const fault of faults) yield fault;
  if (report.more_faults > 0) yield `and ${report.more_faults} more`;
  if (report.import_id !== undefined) yield `Import ${report.import_id}.`;
  yield `${VERBS[outcome]}.`;
}

/** Reactions, pins and the like belong to a message and have no rows of their own. */
function writtenRows(counts: MovingReport["written"]): string {
  const rows = Object.entries(counts).map(([table, count]) => {
    return `${count} ${table.replaceAll("_", " ")}`;
  });
  return rows.length > 0 ? `Written: ${rows.join(", ")}.` : "There was nothing new to write.";
}

const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
