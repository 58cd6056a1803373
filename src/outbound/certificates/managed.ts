// A certificate from an ACME authority, renewed in time; a self-signed one until it exists.
import type { AcmeConfig } from "../../contract/config.ts";
import { HOUR_MS } from "../../contract/units.ts";
import type { Clock } from "../../realm.ts";
import type { Certificates } from "../../server/certificates.ts";
import type { Log } from "../../server/log.ts";
import { type Account, issue, knownAccount, type Proofs, suggestedRenewal } from "./acme.ts";
import type { StoredPairs } from "./storage.ts";
import type { ValidatedPair } from "./pair.ts";
import { isLate, renewalTime, timeIn, waitAfter } from "./renewal.ts";
import { selfSigned } from "./self-signed.ts";

/** Interval at which the authority is asked whether it wants an earlier renewal. */
const CHECK_MS = 6 * HOUR_MS;
/** A longer timer would not notice a change of the clock. */
const SLEEP_MS_MAX = HOUR_MS;

export class ManagedCertificate implements Certificates {
  onChange: () => void = () => {};
  private readonly proofs: Proofs = { tokens: new Map() };
  private readonly jitter = Math.random();
  private failures = 0;
  /** Time of the next attempt, in Unix milliseconds. */
  private due: number;
  private looked_at = 0;
  private timer: Timer | undefined;
  private isStopped = false;
  private issuing: Promise<void> | undefined;

  private constructor(
    private readonly config: AcmeConfig,
    private readonly storedPairs: StoredPairs,
    private readonly clock: Pick<Clock, "now">,
    private readonly log: Log,
    private issued: ValidatedPair | undefined,
    private readonly selfSignedPair: ValidatedPair,
  ) {
    this.due = issued ? renewalTime(issued, this.jitter) : 0;
  }

  /** Loads the stored certificate if it is valid for these names. Renewal starts with `start`. */
  static async open(
    config: AcmeConfig,
    retained: StoredPairs,
    clock: Pick<Clock, "now">,
    log: Log,
  ): Promise<ManagedCertificate> {
    const storedPair = retained.pair(pairFile(config));
    const fits =
      storedPair && coversAll(storedPair, config.names) && storedPair.until_ms > clock.now();
    const selfSignedPair = await selfSigned(config.names, clock.now());
    return new ManagedCertificate(
      config,
      retained,
      clock,
      log,
      fits ? storedPair : undefined,
      selfSignedPair,
    );
  }

  get pair(): ValidatedPair {
    return this.issued ?? this.selfSignedPair;
  }

  get isTrusted(): boolean {
    return this.issued !== undefined;
  }

  challenge(token: string): string | undefined {
    return this.proofs.tokens.get(token);
  }

  start(): void {
    void this.renewIfDue();
  }

  /** A running request to the authority continues, but its result is ignored. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /** Renews now, even if it is not due. @throws the authority's error */
  renew(): Promise<void> {
    this.issuing ??= this.order().finally(() => (this.issuing = undefined));
    return this.issuing;
  }

  private async renewIfDue(): Promise<void> {
    await this.checkRenewalInfo();
    if (this.clock.now() >= this.due) await this.renew().catch(() => {});
    if (this.isStopped) return;
    const delay_ms = Math.min(SLEEP_MS_MAX, Math.max(1_000, this.due - this.clock.now()));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.renewIfDue(), delay_ms);
    this.timer.unref();
  }

  private async checkRenewalInfo(): Promise<void> {
    const now = this.clock.now();
    if (!this.issued || this.failures > 0 || now - this.looked_at < CHECK_MS) return;
    this.looked_at = now;
    const window = await suggestedRenewal(this.config, this.issued.cert).catch(() => undefined);
    const ownRenewal = renewalTime(this.issued, this.jitter);
    this.due = window ? Math.min(timeIn(window, this.jitter), this.issued.until_ms) : ownRenewal;
  }

  private async order(): Promise<void> {
    const { config, storedPairs: retained, log } = this;
    try {
      const file = accountFile(config);
      const account = await knownAccount(config, accountIn(retained.text(file)));
      retained.write(file, JSON.stringify(account));
      const pair = await issue(config, account, this.proofs);
      retained.store(pairFile(config), pair);
      this.install(pair);
      const until = new Date(pair.until_ms).toISOString();
      log.info("got a certificate", { names: config.names.join(","), until });
    } catch (error) {
      if (!this.isStopped) this.fail(error);
      throw error;
    }
  }

  private install(pair: ValidatedPair): void {
    this.failures = 0;
    this.issued = pair;
    // Prevents a loop if the new certificate is due for renewal at once.
    const retryAt = this.clock.now() + waitAfter(1);
    this.due = Math.max(retryAt, renewalTime(pair, this.jitter));
    this.looked_at = 0;
    if (!this.isStopped) this.onChange();
  }

  private fail(error: unknown): void {
    this.failures += 1;
    const now = this.clock.now();
    this.due = now + waitAfter(this.failures);
    const isUrgent = !this.issued || isLate(this.issued, now);
    this.log[isUrgent ? "error" : "warn"]("no certificate was issued", {
      names: this.config.names.join(","),
      error: error instanceof Error ? error.message : String(error),
      next_try: new Date(this.due).toISOString(),
      ...(this.issued && { holds_until: new Date(this.issued.until_ms).toISOString() }),
    });
  }
}

/** Each authority, such as one for tests, has its own account and certificate. */
const accountPath = ({ directory_url }: AcmeConfig) =>
  directory_url.replace(/^https?:\/\//, "").replaceAll(/[^A-Za-z0-9.-]+/g, "-");
const accountFile = (config: AcmeConfig) => `account-${accountPath(config)}.json`;
const pairFile = (config: AcmeConfig) => `issued-${accountPath(config)}.pem`;

function accountIn(text: string | undefined): Account | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Account);
}

function coversAll(pair: ValidatedPair, names: readonly string[]): boolean {
  return names.every((name) => pair.names.includes(name));
}
