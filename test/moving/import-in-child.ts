/** Imports a JSONL export in a process that kills itself soon after a number of batches. */
import { carryOut } from "../../src/commands/control.ts";
import { watchProgress } from "../../src/features/moving/progress.ts";

const [from = "", data = "", batches = ""] = process.argv.slice(2);
const BATCH_ROWS = 500;

watchProgress((written) => {
  if (written < Number(batches) * BATCH_ROWS) return;
  // The next batch is under way by then.
  setImmediate(() => process.kill(process.pid, "SIGKILL"));
});
await carryOut(data, "runImport", { from });
