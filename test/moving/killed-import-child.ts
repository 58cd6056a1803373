/** Imports archives in a process that kills itself while all of them are written. */
import { writeSync } from "node:fs";
import { executeCommand } from "../../src/commands/control.ts";
import { BulkWriter } from "../../src/features/moving/bulk-writer-jobs.ts";
import { watchProgress } from "../../src/features/moving/import-progress.ts";

const BATCH_ROWS = 500;
const STDOUT = 1;

/** For each import: its archive, its directory, and the batches before the kill. */
const args = process.argv.slice(2);
const kill = Promise.withResolvers<void>();
/** Writers that have written their batches; each waits before the next one until all have. */
const waiting = new Set<BulkWriter>();
let writing: BulkWriter | undefined;
const noteWriting = (writer: BulkWriter) => (writing = writer);

const { flush } = BulkWriter.prototype;
BulkWriter.prototype.flush = async function () {
  if (waiting.has(this)) await kill.promise;
  noteWriting(this);
  await flush.call(this);
};

const begun: string[] = [];
for (let index = 0; index < args.length; index += 3) {
  const [from, data, batches] = args.slice(index) as [string, string, string];
  const isDue = Promise.withResolvers<boolean>();
  watchProgress((rowsWritten) => {
    if (rowsWritten < Number(batches) * BATCH_ROWS) return;
    waiting.add(writing!);
    isDue.resolve(true);
  });
  void executeCommand(data, "runImport", { from }).then(() => isDue.resolve(false), isDue.reject);
  if (await isDue.promise) begun.push(data);
}
if (begun.length > 0) {
  // Prints the directories of incomplete imports.
  writeSync(STDOUT, `${JSON.stringify(begun)}\n`);
  kill.resolve();
  // Waits a turn of the event loop, so that the next batches have started.
  setImmediate(() => process.kill(process.pid, "SIGKILL"));
}
