// `skein serve`: runs the server until it receives a signal to stop.
import { loopbackHost } from "../text/input/loopback.ts";
import { ownValue } from "../text/input/own-value.ts";
import { writeSync } from "node:fs";
import { networkInterfaces } from "node:os";
import type { Config } from "../contract/config.ts";
import { listWords } from "../features/doctor/check.ts";
import { openSetUp } from "../features/organization/set-up.ts";
import { PairInvalid } from "../outbound/certificates/pair.ts";
import type { Realm } from "../realm.ts";
import { NotOpened, run, type Running } from "../running.ts";
import type { Deactivation } from "../schema/records.ts";
import { PortRefused } from "../server/listening.ts";
import { secretLostAt } from "../store/secret.ts";
import { configOf, type LoadedConfig } from "./config/read.ts";
import { SETTINGS_NOTES, settings } from "./config/settings.ts";
import { acceptCommands } from "./control.ts";
import { type Input, command, CommandError } from "./flags.ts";
import { isEverywhere, reachableUrls } from "./listen.ts";
import { checkStartable } from "./config/start-checks.ts";
import { rejectRoot } from "./process/file-permissions.ts";
import { ProcessControl } from "./process/signals.ts";

export const serve = command({
  description: "runs the server",
  examples: [
    "skein serve",
    "skein serve --data /var/lib/skein --listen 0.0.0.0:9400",
    "skein serve --https chat.example.org",
  ],
  flags: settings,
  notes: SETTINGS_NOTES,
  async run(flags, input) {
    const read = await configOf(flags);
    checkStartable(read.config);
    for (const { data } of read.additional.organizations) rejectRoot(data);
    await serveUntilSignal(read, input);
  },
});

const STDERR = 2;
const STOP_MS = 10_000;
/** Time to flush output, if unresponsive connections keep the process alive. */
const LINGER_MS = 100;

async function serveUntilSignal(read: LoadedConfig, input: Input): Promise<void> {
  const { config, additional, hasHostNames } = read;
  const ofProcess = new ProcessControl(config);
  const stopped = stopSignal();
  const controls = new Map<Realm, ReturnType<typeof acceptCommands>>();
  const serveRealm = async (realm: Realm) => {
    if (controls.has(realm) || realm.hub.isStopping) return;
    controls.set(realm, acceptCommands(realm, ofProcess.commands));
    realm.config.local_network = localNetwork(realm.config, config.host);
    await printOpening(realm);
  };
  const running = await run(config, undefined, {
    ...additional,
    async onGone(realm) {
      const { name } = realm.read.settings;
      await controls.get(realm)?.stop();
      controls.delete(realm);
      console.log(`${name} at ${realm.config.url} was deleted, as scheduled.`);
    },
    onCome: serveRealm,
    onLost: exitOnLoss,
  }).catch(throwReadable);
  try {
    console.log(`Skein listens on ${running.url}`);
    if (!hasHostNames && isEverywhere(config.host)) guessUrl(running, config);
    if (running.plain_url)
      console.log(`Requests to ${running.plain_url} without TLS are redirected.`);
    for (const data of running.erased) {
      console.log(`The organization in ${data} was deleted. Remove the directory from --hosts,`);
      console.log(`or delete ${data}/deleted to set up another one in it.`);
    }
    for (const realm of [...running.realms]) await serveRealm(realm);
    ofProcess.begin(input, running);
    // A start compiles code later than usual: see build.ts.
    Bun.unsafe.setJITPolicy(1);
    await stopped;
  } finally {
    ofProcess.end();
    await stopWithTimeout(async () => {
      await Promise.all([...controls.values()].map((control) => control.stop()));
      await running.stop();
    });
  }
}

const PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** If the server listens on all interfaces, links use an address that other machines can reach. */
function guessUrl({ url, realms }: Running, { host }: Config): void {
  const reachable = reachableFrom(url, host);
  for (const { config } of realms) config.url = reachable[0]!;
  console.log(`Skein can be reached at ${reachable.join(", ")}`);
  console.log(`Links use ${reachable[0]}. If users open another address, set it with --url.`);
}

function reachableFrom(url: string, host: string): string[] {
  const { protocol, port } = new URL(url);
  const number = Number(port || ownValue(PORTS, protocol));
  const all = reachableUrls(host, number, networkInterfaces());
  return all.map((address) => new URL(address.replace("http:", protocol)).origin);
}

/** Finds addresses for invitations if the public URL opens only on this computer. */
function localNetwork({ url }: Pick<Config, "url">, host: string): Config["local_network"] {
  const urls = reachableFrom(url, "0.0.0.0").filter((item) => loopbackHost(item) === undefined);
  return { urls, is_listening: isEverywhere(host) };
}

/** Ends the process when everything has stopped, or at the latest after `STOP_MS`. */
async function stopWithTimeout(stop: () => Promise<void>): Promise<void> {
  const words = `some requests did not end within ${STOP_MS / 1_000} s`;
  const timer = setTimeout(
    () => exitWithError(`skein: ${words}. All acknowledged writes are stored.\n`),
    STOP_MS,
  );
  await stop();
  clearTimeout(timer);
  setTimeout(() => process.exit(), LINGER_MS).unref();
}

/** Unacknowledged writes may or may not be stored. */
function exitOnLoss({ config }: Realm, { message }: Error): never {
  exitWithError(`skein: ${config.data}: ${message}\n`);
}

/** Prints a final message, even if nothing reads the output any more. */
function exitWithError(text: string): never {
  try {
    writeSync(STDERR, text);
  } catch {}
  process.exit(1);
}

async function printOpening(realm: Realm): Promise<void> {
  const { upgraded, examined } = realm.opening;
  if (upgraded) {
    const { from, to, snapshot } = upgraded;
    console.log(
      `Upgraded the data from format ${from} to ${to}. Snapshot of the old data: ${snapshot}`,
    );
  }
  const { damage = [], skipped } = examined ?? {};
  if (damage.length > 0) {
    realm.onNote("the data is damaged", { damage: listWords(damage) });
    console.log(`The data is damaged: ${listWords(damage)}. For what to do, run: skein doctor`);
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
  if (free_bytes > RECLAIM_HINT_BYTES_MIN && free_bytes * 2 > size_bytes) {
    console.log(
      "More than half of the database is unused. To free the space, run: skein db compact",
    );
  }
  const { name } = realm.read.settings;
  const deactivation = realm.read.deactivations.get(1);
  if (!deactivation) console.log(`Users can sign in to ${name} at ${realm.config.url}`);
  else console.log(`${name} at ${realm.config.url} is deactivated.${deletionNotice(deactivation)}`);
}

/** Reclaiming less is not worth stopping the server. */
const RECLAIM_HINT_BYTES_MIN = 64 * 1_048_576;

function deletionNotice({ delete_at = null }: Deactivation): string {
  if (delete_at === null) return "";
  return ` Its data will be deleted at ${new Date(delete_at * 1000).toISOString()}.`;
}

/** A second signal ends the process at once, since acknowledged writes are on disk. */
export function stopSignal(): Promise<void> {
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

function throwReadable(error: unknown): never {
  const isReadable = [NotOpened, PortRefused, PairInvalid].some((kind) => error instanceof kind);
  throw isReadable ? new CommandError((error as Error).message) : error;
}
