// `skein serve`: runs the server until it is told to stop.
import { ownValue } from "../text/input/own-value.ts";
import { writeSync } from "node:fs";
import { networkInterfaces } from "node:os";
import type { Config } from "../contract/config.ts";
import { listed } from "../features/doctor/check.ts";
import { openSetUp } from "../features/organization/set-up.ts";
import { PairInvalid } from "../outbound/certificates/pair.ts";
import type { Realm } from "../realm.ts";
import { NotOpened, run, type Running } from "../running.ts";
import type { Deactivation } from "../schema/records.ts";
import { PortRefused } from "../server/listening.ts";
import { secretLostAt } from "../store/secret.ts";
import { configOf, type Read } from "./config/read.ts";
import { SETTINGS_NOTES, settings } from "./config/settings.ts";
import { takeCommands } from "./control.ts";
import { type Asked, command, CommandError } from "./flags.ts";
import { isEverywhere, reachableUrls } from "./listen.ts";
import { checkStartable } from "./config/startable.ts";
import { OfProcess } from "./process/of-process.ts";

export const serve = command({
  about: "runs the server",
  examples: [
    "skein serve",
    "skein serve --data /var/lib/skein --listen 0.0.0.0:9400",
    "skein serve --https chat.example.org",
  ],
  flags: settings,
  notes: SETTINGS_NOTES,
  async run(flags, asked) {
    const read = await configOf(flags);
    checkStartable(read.config);
    await serveUntilTold(read, asked);
  },
});

const STDERR = 2;
const STOP_MS = 10_000;
/** For what was printed, where connections to others that do not answer keep the process. */
const LINGER_MS = 100;

async function serveUntilTold(read: Read, asked: Asked): Promise<void> {
  const { config, beside, isNamed } = read;
  outliveReaders();
  const ofProcess = new OfProcess(config);
  const told = toldToStop();
  const controls = new Map<Realm, ReturnType<typeof takeCommands>>();
  const come = async (realm: Realm) => {
    if (controls.has(realm) || realm.hub.isStopping) return;
    controls.set(realm, takeCommands(realm, ofProcess.commands));
    await introduce(realm);
  };
  const running = await run(config, undefined, {
    ...beside,
    async onGone(realm) {
      const { name } = realm.read.settings;
      await controls.get(realm)?.stop();
      controls.delete(realm);
      console.log(`${name} at ${realm.config.url} is deleted now, as scheduled.`);
    },
    onCome: come,
    onLost: endAtOnce,
  }).catch(plainly);
  try {
    console.log(`Skein listens on ${running.url}`);
    if (!isNamed && isEverywhere(config.host)) guessUrl(running, config);
    if (running.plain_url)
      console.log(`Requests to ${running.plain_url} without TLS are redirected.`);
    for (const data of running.erased) {
      console.log(`The organization in ${data} was deleted. Remove the directory from --hosts,`);
      console.log(`or delete ${data}/deleted to set up another one in it.`);
    }
    for (const realm of [...running.realms]) await come(realm);
    ofProcess.begin(asked, running);
    await told;
  } finally {
    ofProcess.end();
    await inTime(async () => {
      await Promise.all([...controls.values()].map((control) => control.stop()));
      await running.stop();
    });
  }
}

const PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** Links to a server that listens everywhere lead to where others can reach it. */
function guessUrl({ url, realms }: Running, { host }: Config): void {
  const { protocol, port } = new URL(url);
  const reachable = reachableUrls(
    host,
    Number(port || ownValue(PORTS, protocol)),
    networkInterfaces(),
  ).map((address) => new URL(address.replace("http:", protocol)).origin);
  for (const { config } of realms) config.url = reachable[0]!;
  console.log(`Skein can be reached at ${reachable.join(", ")}`);
  console.log(`Links use ${reachable[0]}. If users open another address, set it with --url.`);
}

/** Whatever hangs, the process ends: at once when all is done, or else when its time is over. */
async function inTime(stop: () => Promise<void>): Promise<void> {
  const words = `not all that was under way ended within ${STOP_MS / 1_000} s`;
  const late = setTimeout(
    () => endWith(`skein: ${words}. What was acknowledged is safe.\n`),
    STOP_MS,
  );
  await stop();
  clearTimeout(late);
  setTimeout(() => process.exit(), LINGER_MS).unref();
}

/** Unacknowledged writes may or may not be stored. */
function endAtOnce({ config }: Realm, { message }: Error): never {
  endWith(`skein: ${config.data}: ${message}\n`);
}

/** Last words, also where nobody reads them any more. */
function endWith(words: string): never {
  try {
    writeSync(STDERR, words);
  } catch {}
  process.exit(1);
}

async function introduce(realm: Realm): Promise<void> {
  const { upgraded, examined } = realm.opening;
  if (upgraded) {
    const { from, to, snapshot } = upgraded;
    console.log(`The data was upgraded from format ${from} to ${to}; before that: ${snapshot}`);
  }
  const { damage = [], skipped } = examined ?? {};
  if (damage.length > 0) {
    realm.onNote("the data is damaged", { damage: listed(damage) });
    console.log(`The data is damaged: ${listed(damage)}. For what to do, run: skein doctor`);
  }
  if (skipped)
    console.log(
      `After the last stop, ${skipped} were not checked. To check them, run: skein doctor`,
    );
  if (secretLostAt(realm.config.data) !== undefined) {
    console.log(
      "The file secrets was missing and was created again. For what to do, run: skein doctor",
    );
  }
  if (!realm.read.realm.has(1)) {
    console.log(`Set up the organization: ${await realm.write(openSetUp)}`);
    console.log("The link works once, for 30 minutes; a restart prints a new one.");
    return;
  }
  const { size_bytes, free_bytes } = realm.measure();
  if (free_bytes > OFFERED_BYTES && free_bytes * 2 > size_bytes) {
    console.log("More than half of the database holds nothing: skein db compact gives it back.");
  }
  const { name } = realm.read.settings;
  const closed = realm.read.deactivations.get(1);
  if (!closed) console.log(`People sign in to ${name} at ${realm.config.url}`);
  else console.log(`${name} at ${realm.config.url} is deactivated.${fate(closed)}`);
}

/** Less is not worth a stop of the server. */
const OFFERED_BYTES = 64 * 1_048_576;

function fate({ delete_at = null }: Deactivation): string {
  if (delete_at === null) return "";
  return ` Its data is deleted at ${new Date(delete_at * 1000).toISOString()}.`;
}

/** Continues if the reader of the output has gone. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

/** A second signal ends the process at once, since acknowledged writes are on disk. */
export function toldToStop(): Promise<void> {
  // Other servers reopen logs or print statistics on these signals, so they must not end this one.
  for (const signal of ["SIGHUP", "SIGUSR1", "SIGUSR2"] as const) process.on(signal, () => {});
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGQUIT"] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve();
      });
    }
  });
}

function plainly(error: unknown): never {
  const isTheirs = [NotOpened, PortRefused, PairInvalid].some((kind) => error instanceof kind);
  throw isTheirs ? new CommandError((error as Error).message) : error;
}
