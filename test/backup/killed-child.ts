/** A process that makes a backup and is killed at one of its counted steps. */
import { DirectoryTarget } from "../../src/features/backup/directory-target.ts";
import { backUp } from "../../src/features/backup/run.ts";
import type { Pieces } from "../../src/features/backup/work/target.ts";
import { openRunning } from "../../src/running.ts";
import { configFor } from "../../src/commands/control.ts";

const [data = "", to = "", killAt = "0", location = "0"] = process.argv.slice(2);
let step = 0;

function killAtLast(): void {
  process.kill(process.pid, "SIGKILL");
}

/** Counts a step before, during and after each file that is written. */
class KillingTarget extends DirectoryTarget {
  override checkRoom(bytes: number): void {
    super.checkRoom(bytes);
    if (step++ === Number(killAt)) killAtLast();
  }

  override async put(name: string, pieces: Pieces): Promise<void> {
    const isLast = step++ === Number(killAt);
    if (isLast && location === "0") killAtLast();
    await super.put(name, isLast && location === "1" ? killAfterEach(pieces) : pieces);
    if (isLast) killAtLast();
  }
}

async function* killAfterEach(pieces: Pieces): Pieces {
  for await (const piece of pieces) {
    yield piece;
    killAtLast();
  }
}

const realm = await openRunning(configFor(data));
// Resend all files, so that each run has all steps.
await backUp(realm, new KillingTarget(to), { recipients: [], resend: true });
await realm.close();
console.log("done");
