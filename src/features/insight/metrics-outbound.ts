// The metrics of the running server, served at their own listener.
import type { Config } from "../../contract/config.ts";
import type { ServedCertificates } from "../../outbound/certificates/open.ts";
import type { Realm } from "../../realm.ts";
import { gauge } from "../../server/insight/families.ts";
import { type MetricsListener, serveMetrics } from "../../server/insight/listener.ts";
import { ProcessFacts } from "../../server/insight/process.ts";
import { RequestCounts } from "../../server/insight/requests.ts";
import type { Log } from "../../server/log.ts";
import { Samples } from "./samples-jobs.ts";

/** Loaded only if metrics are enabled, which makes other starts faster. */
export class Metrics {
  readonly requests = new RequestCounts();
  readonly samples = new Samples();
  private readonly process = new ProcessFacts();
  private listener: MetricsListener | undefined;

  /** undefined if metrics are disabled; then nothing is counted. */
  static of(config: Pick<Config, "metrics">): Metrics | undefined {
    return config.metrics && new Metrics(config.metrics);
  }

  private constructor(private readonly address: { host: string; port: number }) {}

  get url(): string | undefined {
    return this.listener?.url;
  }

  listen(
    realms: () => readonly Realm[],
    certificates: Pick<ServedCertificates, "pair"> | undefined,
    log: Log,
  ): void {
    const ofCertificates = () => {
      if (!certificates) return [];
      const until = certificates.pair.until_ms / 1_000;
      const name = "skein_certificate_expiry_timestamp_seconds";
      return [gauge(name, "Time at which the certificate expires.", until)];
    };
    this.listener = serveMetrics(this.address, [
      () => this.requests.families(),
      () => this.samples.families(realms()),
      () => this.process.families(),
      ofCertificates,
    ]);
    log.info("metrics", { url: `${this.listener.url}/metrics` });
  }

  async stop(): Promise<void> {
    this.process.stop();
    await this.listener?.stop();
  }
}
