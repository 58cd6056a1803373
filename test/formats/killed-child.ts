/** A process that migrates data and is killed at one of its counted steps. */
import { migrations } from "../../src/contract/migrations.ts";
import { schema } from "../../src/realm.ts";
import type { Migration } from "../../src/store/format/migrate.ts";
import { openStore } from "../../src/store/open.ts";

const [data = "", killAt = "0", careful = ""] = process.argv.slice(2);
let moment = 0;

function countOperation(): void {
  if (moment++ === Number(killAt)) process.kill(process.pid, "SIGKILL");
}

/** Counts a step before, during and after each transaction. */
const deadly = migrations.map((migration): Migration => {
  const counted = <T>(act: () => T): T => {
    countOperation();
    const value = act();
    countOperation();
    return value;
  };
  const { to } = migration;
  if ("run" in migration) return { to, run: (db) => counted(() => migration.run(db)) };
  return { to, step: (db, after) => counted(() => migration.step(db, after)) };
});

const { close } = await openStore(data, schema, deadly, careful === "careful" ? {} : undefined);
await close();
console.log("done");
