/** Imports an archive in a process that kills itself soon after a number of batches. */
import { executeCommand } from "../../src/commands/control.ts";
import { watchProgress } from "../../src/features/moving/import-progress.ts";

const [from = "", data = "", batches = ""] = process.argv.slice(2);
const BATCH_ROWS = 500;

watchProgress((rowsWritten) => {
  if (rowsWritten < Number(batches) * BATCH_ROWS) return;
  // Waits a turn of the event loop, so that the next batch has started.
  setImmediate(() => process.kill(process.pid, "SIGKILL"));
});
await executeCommand(data, "runImport", { from });
