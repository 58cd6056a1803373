/** A process that migrates data and is killed at one of its counted steps. */
import { migrations } from "../../src/contract/migrations.ts";
import { schema } from "../../src/realm.ts";
import type { Migration } from "../../src/store/format/migrate.ts";
import { openStore } from "../../src/store/open.ts";

const [data = "", killAt = "0", careful = ""] = process.argv.slice(2);
let moment = 0;

function pass(): void {
  if (moment++ === Number(killAt)) process.kill(process.pid, "SIGKILL");
}

/** Counts a step before, during and after each transaction. */
const deadly = migrations.map((migration): Migration => {
  const around = <T>(act: () => T): T => {
    pass();
    const value = act();
    pass();
    return value;
  };
  const { to } = migration;
  if ("run" in migration) return { to, run: (db) => around(() => migration.run(db)) };
  return { to, step: (db, after) => around(() => migration.step(db, after)) };
});

const { close } = await openStore(data, schema, deadly, careful === "careful" ? {} : undefined);
await close();
console.log("done");
