/** Imports an archive in a process of its own, and prints the heap every thousand rows. */
import { executeCommand } from "../../src/commands/control.ts";
import { watchProgress } from "../../src/features/moving/import-progress.ts";

const [from = "", data = ""] = process.argv.slice(2);
const ROWS_A_LINE = 1_000;

watchProgress((rowsWritten) => {
  if (rowsWritten % ROWS_A_LINE !== 0) return;
  Bun.gc(true);
  process.stdout.write(`${process.memoryUsage().heapUsed}\n`);
});
await executeCommand(data, "runImport", { from });
