// A running Skein: a realm with its features wired in, its runner and its server.
import { tellingOf } from "./capabilities.ts";
import type { Config } from "./config.ts";
import { freezeQueues } from "./features/events/checkpoint.ts";
import { tellOfRestart } from "./features/events/restart.ts";
import { checkpointPresence } from "./features/presence/actions.ts";
import { dueKinds, rounds } from "./jobs.ts";
import { type Clock, openRealm, type Realm, type Wiring } from "./realm.ts";
import { routes } from "./routes.ts";
import { Runner } from "./runner/runner.ts";
import { fieldsOf, openLog } from "./server/log.ts";
import { serve } from "./server/serve.ts";

export interface Running {
  readonly realm: Realm;
  /** Where it listens: scheme, host and port. */
  readonly url: string;
  /** Lets what is under way finish, keeps what a crash would lose, frees the directory. */
  stop(): Promise<void>;
}

/** Migrations of the data, by number; the format counts from 1. */
const migrations: Wiring["migrations"] = [];

/** The realm of a directory, with nothing running: commands open it so. */
export function openHouse(config: Config, clock?: Clock): Promise<Realm> {
  return openRealm(config, { migrations, telling: tellingOf, ...(clock && { clock }) });
}

export async function run(config: Config, clock?: Clock): Promise<Running> {
  const realm = await openHouse({ ...config }, clock);
  const log = openLog(config.log);
  const report = (what: string, error: unknown) => log.error(what, fieldsOf(error));
  const runner = new Runner(realm, dueKinds, rounds, report);
  realm.onDue = () => runner.wake();
  const serving = await serve(() => realm, routes, config, { wake: () => realm.hub.stop() });
  // Who listens on any free port learns only now where people find it.
  realm.config.url ||= serving.url;
  await tellOfRestart(realm);
  realm.hub.start();
  runner.start();
  return {
    realm,
    url: serving.url,
    async stop() {
      await serving.stop();
      await runner.stop();
      try {
        await checkpointPresence(realm);
        await freezeQueues(realm);
      } catch (error) {
        report("keeping what waits, at the stop,", error);
      } finally {
        await realm.close();
      }
    },
  };
}
