// A certificate in files that the operator maintains.
import { statSync } from "node:fs";
import type { Certificates, ReloadResult } from "../../server/certificates.ts";
import type { Log } from "../../server/log.ts";
import { type ValidatedPair, pairIn } from "./pair.ts";

const CHECK_MS = 30_000;

export class WatchedCertificate implements Certificates {
  onChange: () => void = () => {};
  readonly isTrusted = true;
  private timer: Timer | undefined;
  private lastContent: string;
  private current: ValidatedPair;
  /** Why the current files cannot be used. */
  private fault: string | undefined;

  /** Throws if the files cannot be read or do not match. */
  constructor(
    private readonly files: { readonly cert: string; readonly key: string },
    private readonly log: Log,
  ) {
    this.lastContent = this.stamp();
    this.current = pairIn(files);
  }

  get pair(): ValidatedPair {
    return this.current;
  }

  challenge(): undefined {}

  start(): void {
    this.timer = setInterval(() => this.reload(), CHECK_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
  }

  /** Files that cannot be served are logged once, and the certificate before stays in use. */
  reload(): ReloadResult {
    const stamp = this.stamp();
    if (stamp === this.lastContent) {
      return this.fault === undefined ? { state: "same" } : this.refuse(this.fault);
    }
    this.lastContent = stamp;
    try {
      this.current = pairIn(this.files);
      this.fault = undefined;
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error);
      this.log.error("the certificate was not changed", { ...this.files, error: this.fault });
      return this.refuse(this.fault);
    }
    const until = new Date(this.current.until_ms).toISOString();
    this.log.info("loaded a new certificate", { ...this.files, until });
    this.onChange();
    return { state: "taken", until };
  }

  private refuse(text: string): ReloadResult {
    return { state: "refused", words: text };
  }

  /** Changes when either file is replaced or rewritten. */
  private stamp(): string {
    return [this.files.cert, this.files.key]
      .map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }))
      .map((file) => (file ? `${file.ino}/${file.mtimeNs}/${file.size}` : "none"))
      .join(" ");
  }
}
