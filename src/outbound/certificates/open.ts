// The certificate that a server is told to have.
import { X509Certificate } from "node:crypto";
import type { Config, TlsConfig } from "../../contract/config.ts";
import type { Clock } from "../../realm.ts";
import type { Certificates, Looked } from "../../server/certificates.ts";
import type { Log } from "../../server/log.ts";
import { WatchedCertificate } from "./files.ts";
import { KeptPairs } from "./kept.ts";
import { ManagedCertificate } from "./managed.ts";
import { OwnCertificate } from "./own.ts";
import type { CheckedPair } from "./pair.ts";

export interface ServedCertificates extends Certificates {
  readonly pair: CheckedPair;
  /** Begins to look after it; what listens is there by now. */
  start(): void;
  stop(): Promise<void>;
  /** Looks now whether there is another. */
  look?(): Looked;
  /** Asks the authority for another now. */
  renew?(): Promise<void>;
}

export async function openCertificates(
  tls: TlsConfig,
  { data }: Pick<Config, "data">,
  clock: Pick<Clock, "now">,
  log: Log,
): Promise<ServedCertificates> {
  const kept = new KeptPairs(data);
  if (tls.kind === "files") return new WatchedCertificate(tls, log);
  if (tls.kind === "acme") return ManagedCertificate.open(tls, kept, clock, log);
  const own = await OwnCertificate.open(tls.names, kept, clock);
  const { fingerprint256 } = new X509Certificate(own.pair.cert);
  log.info("serves with a certificate of its own", { sha256: fingerprint256 });
  return own;
}
