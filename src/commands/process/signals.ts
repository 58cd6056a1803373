// Operations of the running process, by signals and commands.
import type { Config, Level } from "../../contract/config.ts";
import { MINUTE_MS } from "../../contract/units.ts";
import type { ServedCertificates } from "../../outbound/certificates/open.ts";
import type { Running } from "../../running.ts";
import { openLog } from "../../server/log.ts";
import { ConfigReloader } from "../config/reload.ts";
import { listWords } from "../../features/doctor/check.ts";
import { isDeactivated } from "../../features/realm/access.ts";
import type { Realm } from "../../realm.ts";
import type {
  CertificateFacts,
  ProcessCommands,
  ReloadOutcome,
  ServedOrganization,
} from "../control.ts";
import { type Input, CommandError, UsageError } from "../flags.ts";
import { monotonicMicroseconds, openNotify } from "../systemd/notify.ts";
import { startWatchdog } from "../systemd/watchdog.ts";

/** Loads the inspector of the runtime, which a start does not need. */
const profiling = () => import("./profiling.ts");

/** Operations of the running process, by signals and commands. */
export class ProcessControl {
  readonly commands: ProcessCommands = {
    reload: async () => this.reload(),
    certificate: async () => factsOf(this.certificates()),
    health: async () => this.health(),
    logLevel: async ({ level, minutes }) => this.setLogLevel(level, minutes),
    organizations: async () => (this.running?.realms ?? []).map(served),
    profile: async ({ seconds }) => (await profiling()).writeProfile(this.config.data, seconds),
    heap: async () => (await profiling()).writeHeap(this.config.data),
    renewCertificate: async () => this.renewCertificate(this.certificates()),
  };
  private readonly log;
  private readonly notify = openNotify();
  private rest = (): void => {};
  private levelTimer: Timer | undefined;
  /** The log level before a temporary change. */
  private previousLevel: { level: Level | undefined } | undefined;
  private reloading: ConfigReloader | undefined;
  private running: Running | undefined;

  constructor(private readonly config: Config) {
    this.log = openLog(config);
    process.on("SIGHUP", () => void this.reloadQuietly());
  }

  /** Starts to accept operations. */
  begin(input: Input, running: Running): void {
    this.reloading = new ConfigReloader(input, running, this.config);
    this.running = running;
    const count = running.realms.length;
    const organizations = count === 1 ? "" : `, ${count} organizations`;
    this.notify?.({ READY: "1", STATUS: `Serving at ${running.url}${organizations}` });
    if (this.notify) this.rest = startWatchdog(() => running.realms, this.notify);
  }

  /** Called when the process is about to stop. */
  end(): void {
    this.rest();
    this.notify?.({ STOPPING: "1" });
  }

  private async health() {
    if (!this.running) throw new UsageError("the server is still starting");
    const { realms, url } = this.running;
    // A disk that was full may have space again.
    await Promise.all(realms.map((realm) => realm.write(() => undefined).catch(() => {})));
    const refusedReasons = realms.flatMap(({ refusal }) => refusal?.message ?? []);
    return { url, refused: refusedReasons, damaged: realms.flatMap(damageOf) };
  }

  /** Another reload, or the end of the period, restores the configured level. */
  private setLogLevel(level: Level, minutes: number): object {
    clearTimeout(this.levelTimer);
    const { config } = this;
    const before = this.previousLevel ?? { level: config.log_level };
    this.previousLevel = before;
    config.log_level = level;
    this.levelTimer = setTimeout(() => this.restoreLogLevel(), minutes * MINUTE_MS);
    this.levelTimer.unref();
    return {};
  }

  private restoreLogLevel(): void {
    clearTimeout(this.levelTimer);
    if (this.previousLevel) this.config.log_level = this.previousLevel.level ?? "info";
    this.previousLevel = undefined;
  }

  private certificates(): ServedCertificates {
    const certificates = this.running?.certificates;
    if (!certificates) throw new CommandError("the server has no certificate: see --https");
    return certificates;
  }

  private async renewCertificate(certificates: ServedCertificates): Promise<CertificateFacts> {
    if (!certificates.renew)
      throw new CommandError("the certificate is not from an authority, so it cannot be renewed");
    try {
      await certificates.renew();
    } catch (error) {
      throw new CommandError(`no certificate was issued: ${(error as Error).message}`);
    }
    return factsOf(certificates);
  }

  private async reload(): Promise<ReloadOutcome> {
    if (!this.reloading) throw new UsageError("the server is still starting");
    this.notify?.({ RELOADING: "1", MONOTONIC_USEC: monotonicMicroseconds() });
    try {
      const reloaded = await this.reloading.reload();
      // The new setting replaces a temporary one.
      clearTimeout(this.levelTimer);
      this.previousLevel = undefined;
      this.log.info("reloaded the settings", {
        applied: reloaded.applied.join(","),
        needs_restart: reloaded.needs_restart.join(","),
      });
      const refusedReasons =
        reloaded.certificate?.state === "refused" ? reloaded.certificate.words : undefined;
      const certificateNote =
        refusedReasons === undefined ? "" : `; the certificate was not changed: ${refusedReasons}`;
      this.notify?.({
        READY: "1",
        STATUS: `Serving, with the settings reloaded${certificateNote}`,
      });
      return reloaded;
    } catch (error) {
      const { message } = error as Error;
      this.log.error("the settings were not changed", { error: message });
      this.notify?.({ READY: "1", STATUS: `Serving; the settings were not changed: ${message}` });
      throw error;
    }
  }

  private async reloadQuietly(): Promise<void> {
    try {
      await this.reload();
    } catch {}
  }
}

/** Damage found when the data was opened. */
function damageOf({ opening, config }: Realm): string[] {
  const { damage = [] } = opening.examined ?? {};
  return damage.length === 0 ? [] : [`${config.data}: ${listWords(damage)}`];
}

function served({ read, config }: Realm): ServedOrganization {
  const { url, data } = config;
  const name = read.realm.get(1)?.settings.name ?? null;
  return { name, url, data, is_deactivated: isDeactivated(read) };
}

function factsOf({ pair, isTrusted }: ServedCertificates): CertificateFacts {
  const { names, from_ms, until_ms } = pair;
  const [from, until] = [from_ms, until_ms].map((ms) => new Date(ms).toISOString());
  return { names, from: from!, until: until!, is_trusted: isTrusted };
}
