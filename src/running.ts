// A running Skein: realms with their features wired in, their runners, and the server before them.
import { tellingOf } from "./capabilities.ts";
import type { Config } from "./config.ts";
import { freezeQueues } from "./features/events/checkpoint.ts";
import { tellOfRestart } from "./features/events/restart.ts";
import { keepFilesIn } from "./features/files/blobs.ts";
import { checkpointPresence } from "./features/presence/actions.ts";
import { askDirectory } from "./features/ldap/directory.ts";
import { believe } from "./features/oidc/providers.ts";
import { dueKinds, rounds } from "./jobs.ts";
import { Bucket } from "./outbound/bucket.ts";
import { GuardedClient } from "./outbound/client.ts";
import { Directory } from "./outbound/directory.ts";
import { Provider } from "./outbound/provider.ts";
import { type Clock, openRealm, type Realm, type Wiring } from "./realm.ts";
import { routes } from "./routes.ts";
import { Runner } from "./runner/runner.ts";
import { anyHost, hostsOf, subdomainOf } from "./server/hosts.ts";
import { fieldsOf, type Log, openLog } from "./server/log.ts";
import { serve } from "./server/serve.ts";

export interface Running {
  /** Of the first configuration. */
  readonly realm: Realm;
  /** All of them, in the order of their configurations. */
  readonly realms: readonly Realm[];
  /** Where it listens: scheme, host and port. */
  readonly url: string;
  /** Lets what is under way finish, keeps what a crash would lose, frees the directories. */
  stop(): Promise<void>;
}

/** What is served besides the first organization. */
export interface Beside {
  /** Each with its own directory and address; all else is as for the first. */
  readonly organizations: readonly Pick<Config, "data" | "url">[];
  /** Where the server answers for itself, and no organization does. */
  readonly root_host?: string;
  /** Nothing happens by itself, so that one can see what a request alone has changed. */
  readonly is_still?: boolean;
}

/** One of several organizations, which keeps the others from being served. */
export class NotOpened extends Error {
  constructor({ url, data }: Pick<Config, "data" | "url">, cause: unknown) {
    super(`${url} (${data}): ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** Migrations of the data, by number; the format counts from 1. */
const migrations: Wiring["migrations"] = [];

/** The realm of a directory, with nothing running: commands open it so. */
export async function openHouse(config: Config, clock?: Clock): Promise<Realm> {
  const wiring = { migrations, telling: tellingOf, ...(clock && { clock }) };
  const realm = await openRealm(config, wiring);
  if (config.bucket) keepFilesIn(realm, new Bucket(config.bucket));
  return realm;
}

export async function run(
  config: Config,
  clock?: Clock,
  beside: Beside = { organizations: [] },
): Promise<Running> {
  const isAlone = beside.organizations.length === 0 && beside.root_host === undefined;
  const realms = await openAll(isAlone ? [config] : configsOf(config, beside), clock);
  const [realm] = realms as [Realm];
  const log = openLog(config.log);
  const houses = realms.map((one) => new House(one, log));
  const hosts = isAlone ? anyHost(realm) : hostsOf(realms, beside.root_host);
  const wake = () => realms.forEach(({ hub }) => hub.stop());
  const serving = await serve(hosts, routes, config, { wake });
  // Who listens on any free port learns only now where people find it.
  realm.config.url ||= serving.url;
  for (const house of houses) await house.start(beside.is_still);
  return {
    realm,
    realms,
    url: serving.url,
    async stop() {
      await serving.stop();
      await Promise.all(houses.map((house) => house.stop()));
    },
  };
}

function configsOf(config: Config, { organizations, root_host }: Beside): Config[] {
  const root = root_host ?? new URL(config.url).host;
  return [config, ...organizations].map(({ data, url }) => {
    return { ...config, data, url, subdomain: subdomainOf(url, root) };
  });
}

/** All of them or none. */
async function openAll(configs: readonly Config[], clock?: Clock): Promise<Realm[]> {
  const realms: Realm[] = [];
  try {
    for (const config of configs) realms.push(await openHouse({ ...config }, clock));
  } catch (error) {
    await Promise.all(realms.map((realm) => realm.close()));
    throw configs.length === 1 ? error : new NotOpened(configs[realms.length]!, error);
  }
  return realms;
}

/** A realm at work: what falls due is done, and clients hear of what happens. */
class House {
  private readonly runner;
  private readonly report;

  constructor(
    private readonly realm: Realm,
    log: Log,
  ) {
    const organization = realm.config.url;
    this.report = (what: string, error: unknown) =>
      log.error(what, { ...(organization && { organization }), ...fieldsOf(error) });
    this.runner = new Runner(realm, dueKinds, rounds, this.report);
    this.meetVouchers();
  }

  /** The other servers that say who somebody is. */
  private meetVouchers(): void {
    const { realm, report } = this;
    const { ldap, oidc_providers = [], outbound_allow } = realm.config;
    if (ldap) askDirectory(realm, new Directory(ldap, (error) => report("asking LDAP", error)));
    const client = new GuardedClient(outbound_allow);
    const providers = oidc_providers.map((config) => {
      return new Provider(config, client, (error) => report(`asking ${config.name}`, error));
    });
    believe(realm, providers);
  }

  async start(is_still = false): Promise<void> {
    await tellOfRestart(this.realm);
    this.realm.hub.start();
    if (is_still) return;
    this.realm.onDue = () => this.runner.wake();
    this.runner.start();
  }

  async stop(): Promise<void> {
    const { realm } = this;
    await this.runner.stop();
    try {
      await checkpointPresence(realm);
      await freezeQueues(realm);
    } catch (error) {
      this.report("keeping what waits, at the stop,", error);
    } finally {
      await realm.close();
    }
  }
}
