// A self-signed certificate that is stored, so that browsers warn about it only once.
import type { Clock } from "../../realm.ts";
import type { Certificates } from "../../server/certificates.ts";
import type { StoredPairs } from "./storage.ts";
import type { ValidatedPair } from "./pair.ts";
import { isLate } from "./renewal.ts";
import { selfSigned } from "./self-signed.ts";

const FILE = "self.pem";

export class OwnCertificate implements Certificates {
  onChange: () => void = () => {};
  readonly isTrusted = false;

  private constructor(readonly pair: ValidatedPair) {}

  static async open(
    names: readonly string[],
    retained: StoredPairs,
    clock: Pick<Clock, "now">,
  ): Promise<OwnCertificate> {
    const storedPair = retained.pair(FILE);
    const now = clock.now();
    const fits =
      storedPair &&
      !isLate(storedPair, now) &&
      names.every((name) => storedPair.names.includes(name));
    if (fits) return new OwnCertificate(storedPair);
    const checkedPair = await selfSigned(names, now);
    retained.store(FILE, checkedPair);
    return new OwnCertificate(checkedPair);
  }

  challenge(): undefined {}

  start(): void {}

  async stop(): Promise<void> {}
}
