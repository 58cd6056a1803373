// A running Skein: realms with their features, job runners and the HTTP server.
import { eventRouterOf as router } from "./contract/capabilities.ts";
import { type Config, LIVE_SETTINGS } from "./contract/config.ts";
import { direct } from "./contract/direct.ts";
import { dueKinds, rounds } from "./contract/jobs.ts";
import { migrations } from "./contract/migrations.ts";
import { routes } from "./contract/routes.ts";
import { lowerRolesOfAllBots } from "./features/accounts/changes.ts";
import { jobsWithActor, roundsWithActor } from "./features/audit/jobs.ts";
import { audit } from "./features/audit/record.ts";
import { countersIn as compare } from "./features/backup/work/references.ts";
import { placeFor } from "./features/backup/work/target.ts";
import { pageOfRefusal } from "./features/pages/browser-files.ts";
import { fetchWith } from "./features/external-content/proxy.ts";
import type { Samples } from "./features/insight/samples-jobs.ts";
import { DOWNLOAD_MS } from "./features/external-content/rules.ts";
import { setBucket } from "./features/files/blobs.ts";
import { registerIdentityProviders } from "./features/oidc/providers-outbound.ts";
import { resumeDeletion } from "./features/organization/deactivate.ts";
import { checkpointPresence } from "./features/presence/actions.ts";
import { freezeQueues } from "./features/register/checkpoint.ts";
import { notifyOfRestart } from "./features/register/restart.ts";
import { freshTermsOf } from "./features/search/index.ts";
import { Bucket } from "./outbound/bucket.ts";
import { openCertificates, type ServedCertificates } from "./outbound/certificates/open.ts";
import { GuardedClient } from "./outbound/client.ts";
import { startSweep } from "./queues/sweep.ts";
import { type Clock, openRealm, type Realm } from "./realm.ts";
import { whenDiskHasSpace } from "./runner/wait-for-space.ts";
import { Runner } from "./runner/runner.ts";
import type { ReloadResult } from "./server/certificates.ts";
import { anyHost, hostsOf, type ServedHosts, subdomainOf } from "./server/hosts.ts";
import { fieldsOf, type Log, openLog } from "./server/log.ts";
import { serve } from "./server/serve.ts";
import { eraseStore, wasErased } from "./store/erase.ts";

export interface Running {
  /** The first organization. */
  readonly realm: Realm;
  /** All organizations that are served, in the order of their configurations. */
  readonly realms: readonly Realm[];
  /** Data directories of deleted organizations, which are not served. */
  readonly erased: readonly string[];
  /** URL on which the server listens: scheme, host and port. */
  readonly url: string;
  readonly plain_url: string | undefined;
  readonly metrics_url: string | undefined;
  /** The TLS certificates, if Skein terminates TLS. */
  readonly certificates: ServedCertificates | undefined;
  /** Applies the `LIVE` settings. Returns the result of reading the certificate files again. */
  reconfigure(newConfig: Config): ReloadResult | undefined;
  /** Completes running requests, saves in-memory state and releases the data directories. */
  stop(): Promise<void>;
}

/** Options for serving more than one organization. */
export interface FurtherOrganizations {
  /** Further organizations: data directory and URL of each. All other settings are shared. */
  readonly organizations: readonly Pick<Config, "data" | "url">[];
  /** Host at which the server itself responds, without an organization. */
  readonly root_host?: string;
  /** Disables background work, so that tests see only the effects of their requests. */
  readonly is_still?: boolean;
  /** Called before the database of a deleted organization is removed. */
  readonly onGone?: (realm: Realm) => Promise<void>;
  /** Called when the only organization was deleted and its directory is ready for a new one. */
  readonly onCome?: (realm: Realm) => Promise<void>;
  /** Starts the HTTP server. Tests keep it when they exchange the organizations. */
  readonly serve?: typeof serve;
  /** Called when an organization's data can no longer be written; only a restart helps. */
  readonly onLost?: (realm: Realm, error: Error) => void;
}

const NO_OTHERS: FurtherOrganizations = { organizations: [] };

/** One organization could not be opened, so none is served. */
export class NotOpened extends Error {
  constructor({ url, data }: Pick<Config, "data" | "url">, cause: unknown) {
    super(`${url} (${data}): ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** Opens the realm of a directory without background work, for commands. */
export async function openRunning(config: Config, clock?: Clock): Promise<Realm> {
  const derived = { search_fresh: freshTermsOf };
  const realm = await openRealm(config, { migrations, audit, compare, derived, router, clock });
  if (config.bucket) setBucket(realm, new Bucket(config.bucket));
  return realm;
}

export async function run(config: Config, clock?: Clock, additional = NO_OTHERS): Promise<Running> {
  const isSingle = additional.organizations.length === 0 && additional.root_host === undefined;
  const configs = isSingle ? [config] : configsOf(config, additional);
  const erased = isSingle ? [] : configs.map(({ data }) => data).filter(wasErased);
  const attempt = configs.filter(({ data }) => !erased.includes(data));
  const openedRealms = await openAll(attempt, clock);
  const log = openLog(config);
  const hosts = isSingle ? anyHost(openedRealms[0]!) : hostsOf(openedRealms, additional.root_host);
  const counting = config.metrics && (await import("./features/insight/metrics-outbound.ts"));
  const metrics = counting?.Metrics.of(config);
  const realms = new RunningRealms(hosts, log, additional, isSingle, metrics?.samples);
  const wake = () => hosts.realms.forEach(({ hub }) => hub.stop());
  const startAll = async () => {
    const { tls } = config;
    const certificates = tls && (await openCertificates(tls, config, openedRealms[0]!.clock, log));
    const hooks = { wake, pageOf: pageOfRefusal, direct, counts: metrics?.requests, certificates };
    metrics?.listen(() => hosts.realms, certificates, log);
    return { certificates, ...(await (additional.serve ?? serve)(hosts, routes, config, hooks)) };
  };
  const serving = await startAll().catch(async (error: unknown) => {
    await metrics?.stop();
    await Promise.all(openedRealms.map((realm) => realm.close()));
    throw error;
  });
  // With port 0, the URL is known only now.
  if (isSingle) openedRealms[0]!.config.url ||= serving.url;
  const stop = async () => {
    realms.isStopping = true;
    await Promise.all([serving.certificates?.stop(), serving.stop(), metrics?.stop()]);
    await realms.stop();
  };
  await realms.start().catch((error: unknown) => {
    const fail = () => Promise.reject(error);
    return stop().then(fail, fail);
  });
  serving.certificates?.start();
  return {
    get realm() {
      return hosts.realms[0]!;
    },
    realms: hosts.realms,
    erased,
    url: serving.url,
    plain_url: serving.plain_url,
    metrics_url: metrics?.url,
    certificates: serving.certificates,
    reconfigure(newConfig) {
      applyLiveSettings(config, newConfig);
      realms.reconfigure(newConfig);
      return serving.certificates?.reload?.();
    },
    stop,
  };
}

/** The running realms, and the removal of a realm whose organization is deleted. */
class RunningRealms {
  /** A deletion that happens during a stop is completed at the next start. */
  isStopping = false;
  private readonly realms: Set<RunningRealm>;
  private readonly pendingTasks = new Set<Promise<void>>();

  constructor(
    private readonly hosts: ServedHosts,
    private readonly log: Log,
    private readonly furtherOrganizations: FurtherOrganizations,
    private readonly isSingle: boolean,
    private readonly samples?: Samples,
  ) {
    this.realms = new Set(hosts.realms.map((realm) => new RunningRealm(realm, log, samples)));
  }

  async start(): Promise<void> {
    for (const running of [...this.realms]) await this.startOne(running);
  }

  async stop(): Promise<void> {
    await Promise.all(this.pendingTasks);
    await Promise.all([...this.realms].map((running) => running.stop()));
  }

  reconfigure(newConfig: Config): void {
    for (const running of this.realms) running.reconfigure(newConfig);
  }

  private async startOne(running: RunningRealm): Promise<void> {
    running.realm.onEnd = () => this.retire(running);
    running.realm.onLost = (error) => this.furtherOrganizations.onLost?.(running.realm, error);
    await running.start(this.furtherOrganizations.is_still);
  }

  private retire(running: RunningRealm): void {
    if (this.isStopping || !this.realms.delete(running)) return;
    const removal = this.end(running).catch((error: unknown) =>
      running.report("deleting it", error),
    );
    this.pendingTasks.add(removal);
    void removal.finally(() => this.pendingTasks.delete(removal));
  }

  /** Releases the host. If no other organization is left, a new one can be set up. */
  private async end(running: RunningRealm): Promise<void> {
    const { realm } = running;
    const { config, clock } = realm;
    this.hosts.drop(realm);
    realm.hub.stop();
    await this.furtherOrganizations.onGone?.(realm);
    await running.end();
    this.log.info("deleted an organization", { organization: config.url });
    if (!this.isSingle || this.isStopping) return;
    const next = new RunningRealm(await openRunning({ ...config }, clock), this.log, this.samples);
    this.realms.add(next);
    this.hosts.add(next.realm);
    await this.startOne(next);
    await this.furtherOrganizations.onCome?.(next.realm);
  }
}

function applyLiveSettings(config: Config, newConfig: Config): void {
  for (const key of LIVE_SETTINGS) Object.assign(config, { [key]: newConfig[key] });
}

function configsOf(config: Config, { organizations, root_host }: FurtherOrganizations): Config[] {
  const root = root_host ?? new URL(config.url).host;
  return [config, ...organizations].map(({ data, url }) => {
    const realmConfig = { ...config, data, url, subdomain: subdomainOf(url, root) };
    const { backup } = config;
    return backup
      ? { ...realmConfig, backup: { ...backup, to: placeFor(backup.to, url) } }
      : realmConfig;
  });
}

/** Opens all realms, or none. */
async function openAll(configs: readonly Config[], clock?: Clock): Promise<Realm[]> {
  const realms: Realm[] = [];
  try {
    for (const config of configs) realms.push(await openRunning({ ...config }, clock));
  } catch (error) {
    await Promise.all(realms.map((realm) => realm.close()));
    throw configs.length === 1 ? error : new NotOpened(configs[realms.length]!, error);
  }
  return realms;
}

/** A running realm: jobs run and clients receive events. */
class RunningRealm {
  readonly report;
  private readonly runner;

  constructor(
    readonly realm: Realm,
    log: Log,
    samples?: Samples,
  ) {
    const organizationField = realm.config.url && { organization: realm.config.url };
    samples?.watch(realm);
    this.report = (label: string, error: unknown) => {
      samples?.failures.add(label);
      log.error(label, { ...organizationField, ...fieldsOf(error) });
    };
    this.runner = new Runner(realm, jobsWithActor(dueKinds), roundsWithActor(rounds), this.report);
    realm.onNote = (label, fields) => {
      samples?.notes.add(label);
      log.warn(label, { ...organizationField, ...fields });
    };
    registerIdentityProviders(realm, this.report);
    fetchWith(realm, new GuardedClient(realm.config.outbound_allow, undefined, DOWNLOAD_MS));
  }

  reconfigure(newConfig: Config): void {
    applyLiveSettings(this.realm.config, newConfig);
    registerIdentityProviders(this.realm, this.report);
  }

  async start(is_still = false): Promise<void> {
    const { realm } = this;
    const writes = [notifyOfRestart, lowerRolesOfAllBots, ...(is_still ? [] : [resumeDeletion])];
    for (const write of writes) await whenDiskHasSpace(realm, write, this.report);
    startSweep(realm.hub);
    if (is_still) return;
    realm.onDue = (from) => this.runner.wake(from);
    this.runner.start();
  }

  readonly stop = () => this.closeRealm(() => {});

  /** Deletes the database while the directory is still locked. */
  end(): Promise<void> {
    const { config, clock } = this.realm;
    return this.closeRealm(() => eraseStore(config.data, new Date(clock.now())));
  }

  private async closeRealm(last: () => void): Promise<void> {
    const { realm } = this;
    await this.runner.stop();
    try {
      await checkpointPresence(realm);
      await freezeQueues(realm);
    } catch (error) {
      this.report("keeping what waits, at the stop,", error);
    } finally {
      try {
        last();
      } finally {
        await realm.close();
      }
    }
  }
}
