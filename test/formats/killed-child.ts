/** A process that migrates data and is killed at one of its counted steps. */
import { migrations } from "../../src/contract/migrations.ts";
import { schema } from "../../src/realm.ts";
import type { Migration } from "../../src/store/format/migrate.ts";
import { openStore } from "../../src/store/open.ts";

const [data = "", killAt = "0", flags = ""] = process.argv.slice(2);
let operation = 0;

function countOperation(): void {
  if (operation++ === Number(killAt)) process.kill(process.pid, "SIGKILL");
}

/** Counts a step before, during and after each transaction. */
const killableMigrations = migrations.map((migration): Migration => {
  const countAround = <T>(action: () => T): T => {
    countOperation();
    const value = action();
    countOperation();
    return value;
  };
  const { to } = migration;
  if ("run" in migration) return { to, run: (db) => countAround(() => migration.run(db)) };
  return { to, step: (db, after) => countAround(() => migration.step(db, after)) };
});

const { close } = await openStore(
  data,
  schema,
  killableMigrations,
  flags === "careful" ? {} : undefined,
);
await close();
console.log("done");
