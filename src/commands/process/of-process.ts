// Operations of the running process, by signals and commands.
import type { Config, Level } from "../../contract/config.ts";
import { MINUTE_MS } from "../../contract/units.ts";
import type { ServedCertificates } from "../../outbound/certificates/open.ts";
import type { Running } from "../../running.ts";
import { openLog } from "../../server/log.ts";
import { Reloading } from "../config/reload.ts";
import { listed } from "../../features/doctor/check.ts";
import { isClosed } from "../../features/realm/access.ts";
import type { Realm } from "../../realm.ts";
import type {
  CertificateFacts,
  ProcessCommands,
  Reloaded,
  ServedOrganization,
} from "../control.ts";
import { writeHeap, writeProfile } from "./profiling.ts";
import { type Asked, CommandError, UsageError } from "../flags.ts";
import { monotonicMicroseconds, openNotify } from "../systemd/notify.ts";
import { startWatchdog } from "../systemd/watchdog.ts";

/** Operations of the running process, by signals and commands. */
export class OfProcess {
  readonly commands: ProcessCommands = {
    reload: async () => this.reload(),
    certificate: async () => factsOf(this.certificates()),
    health: async () => this.health(),
    logLevel: async ({ level, minutes }) => this.sayFrom(level, minutes),
    organizations: async () => (this.running?.realms ?? []).map(served),
    profile: ({ seconds }) => writeProfile(this.config.data, seconds),
    heap: async () => writeHeap(this.config.data),
    renewCertificate: async () => this.renewed(this.certificates()),
  };
  private readonly log;
  private readonly notify = openNotify();
  private rest = (): void => {};
  private saying: Timer | undefined;
  /** The log level before a temporary change. */
  private levelSet: { level: Level | undefined } | undefined;
  private reloading: Reloading | undefined;
  private running: Running | undefined;

  constructor(private readonly config: Config) {
    this.log = openLog(config);
    process.on("SIGHUP", () => void this.reloadQuietly());
  }

  /** From now on it can be told something. */
  begin(asked: Asked, running: Running): void {
    this.reloading = new Reloading(asked, running, this.config);
    this.running = running;
    const count = running.realms.length;
    const many = count === 1 ? "" : `, ${count} organizations`;
    this.notify?.({ READY: "1", STATUS: `Serves at ${running.url}${many}` });
    if (this.notify) this.rest = startWatchdog(() => running.realms, this.notify);
  }

  /** It is about to stop. */
  end(): void {
    this.rest();
    this.notify?.({ STOPPING: "1" });
  }

  private async health() {
    if (!this.running) throw new UsageError("the server is only starting");
    const { realms, url } = this.running;
    // A write that was rejected before may have room now.
    await Promise.all(realms.map((realm) => realm.write(() => undefined).catch(() => {})));
    const refused = realms.flatMap(({ refusal }) => refusal?.message ?? []);
    return { url, refused, damaged: realms.flatMap(damageOf) };
  }

  /** Another reload, or the end of the time, has it as it was set. */
  private sayFrom(level: Level, minutes: number): object {
    clearTimeout(this.saying);
    const { config } = this;
    const before = this.levelSet ?? { level: config.log_level };
    this.levelSet = before;
    config.log_level = level;
    this.saying = setTimeout(() => this.sayAsSet(), minutes * MINUTE_MS);
    this.saying.unref();
    return {};
  }

  private sayAsSet(): void {
    clearTimeout(this.saying);
    if (this.levelSet) this.config.log_level = this.levelSet.level ?? "info";
    this.levelSet = undefined;
  }

  private certificates(): ServedCertificates {
    const certificates = this.running?.certificates;
    if (!certificates) throw new CommandError("the server has no certificate: see --https");
    return certificates;
  }

  private async renewed(certificates: ServedCertificates): Promise<CertificateFacts> {
    if (!certificates.renew) throw new CommandError("no authority renews this certificate");
    try {
      await certificates.renew();
    } catch (error) {
      throw new CommandError(`no certificate was given: ${(error as Error).message}`);
    }
    return factsOf(certificates);
  }

  private async reload(): Promise<Reloaded> {
    if (!this.reloading) throw new UsageError("the server is only starting");
    this.notify?.({ RELOADING: "1", MONOTONIC_USEC: monotonicMicroseconds() });
    try {
      const told = await this.reloading.reload();
      // The new setting replaces a temporary one.
      clearTimeout(this.saying);
      this.levelSet = undefined;
      this.log.info("reloaded the settings", {
        applied: told.applied.join(","),
        needs_restart: told.needs_restart.join(","),
      });
      const refused = told.certificate?.state === "refused" ? told.certificate.words : undefined;
      const besides = refused === undefined ? "" : `; the certificate stays as it was: ${refused}`;
      this.notify?.({ READY: "1", STATUS: `Serves, with the settings reloaded${besides}` });
      return told;
    } catch (error) {
      const { message } = error as Error;
      this.log.error("the settings stay as they were", { error: message });
      this.notify?.({ READY: "1", STATUS: `Serves; the settings stay as they were: ${message}` });
      throw error;
    }
  }

  private async reloadQuietly(): Promise<void> {
    try {
      await this.reload();
    } catch {}
  }
}

/** As found when the data was opened. */
function damageOf({ opening, config }: Realm): string[] {
  const { damage = [] } = opening.examined ?? {};
  return damage.length === 0 ? [] : [`${config.data}: ${listed(damage)}`];
}

function served({ read, config }: Realm): ServedOrganization {
  const { url, data } = config;
  const name = read.realm.get(1)?.settings.name ?? null;
  return { name, url, data, is_deactivated: isClosed(read) };
}

function factsOf({ pair, isTrusted }: ServedCertificates): CertificateFacts {
  const { names, from_ms, until_ms } = pair;
  const [from, until] = [from_ms, until_ms].map((ms) => new Date(ms).toISOString());
  return { names, from: from!, until: until!, is_trusted: isTrusted };
}
