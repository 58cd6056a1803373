// A certificate that the operator keeps in files, and renews there.
import { readFileSync, statSync } from "node:fs";
import type { Certificates } from "../../server/certificates.ts";
import type { Log } from "../../server/log.ts";
import { type CheckedPair, checkedPair } from "./pair.ts";

const LOOK_MS = 30_000;

export class WatchedCertificate implements Certificates {
  onChange: () => void = () => {};
  readonly isTrusted = true;
  private looking: Timer | undefined;
  private seen: string;
  private current: CheckedPair;

  /** Throws when they cannot be read, or do not fit. */
  constructor(
    private readonly files: { readonly cert: string; readonly key: string },
    private readonly log: Log,
  ) {
    this.seen = this.stamp();
    this.current = this.read();
  }

  get pair(): CheckedPair {
    return this.current;
  }

  challenge(): undefined {}

  start(): void {
    this.looking = setInterval(() => this.look(), LOOK_MS);
    this.looking.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.looking);
  }

  /** What does not fit is said once, and the one before goes on. */
  look(): void {
    const stamp = this.stamp();
    if (stamp === this.seen) return;
    this.seen = stamp;
    try {
      this.current = this.read();
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      this.log.error("the certificate stays as it was", { ...this.files, error: words });
      return;
    }
    const until = new Date(this.current.until_ms).toISOString();
    this.log.info("took another certificate", { ...this.files, until });
    this.onChange();
  }

  private read(): CheckedPair {
    const { cert, key } = this.files;
    return checkedPair(readFileSync(cert, "utf8"), readFileSync(key, "utf8"));
  }

  /** Other when either file is another, or was written. */
  private stamp(): string {
    return [this.files.cert, this.files.key]
      .map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }))
      .map((file) => (file ? `${file.ino}/${file.mtimeNs}/${file.size}` : "none"))
      .join(" ");
  }
}
