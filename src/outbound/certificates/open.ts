// Opens the certificate that the server's configuration names.
import { X509Certificate } from "node:crypto";
import type { Config, TlsConfig } from "../../contract/config.ts";
import type { Clock } from "../../realm.ts";
import type { Certificates, ReloadResult } from "../../server/certificates.ts";
import type { Log } from "../../server/log.ts";
import { WatchedCertificate } from "./files.ts";
import { StoredPairs } from "./storage.ts";
import { ManagedCertificate } from "./managed.ts";
import { OwnCertificate } from "./stored-self-signed.ts";
import type { ValidatedPair } from "./pair.ts";

export interface ServedCertificates extends Certificates {
  readonly pair: ValidatedPair;
  /** Starts automatic renewal; called when the server is listening. */
  start(): void;
  stop(): Promise<void>;
  /** Checks now whether the files have changed. */
  reload?(): ReloadResult;
  /** Requests a new certificate from the authority now. */
  renew?(): Promise<void>;
}

export async function openCertificates(
  tls: TlsConfig,
  { data }: Pick<Config, "data">,
  clock: Pick<Clock, "now">,
  log: Log,
): Promise<ServedCertificates> {
  const retained = new StoredPairs(data);
  if (tls.kind === "files") return new WatchedCertificate(tls, log);
  if (tls.kind === "acme") return ManagedCertificate.open(tls, retained, clock, log);
  const ownCertificate = await OwnCertificate.open(tls.names, retained, clock);
  const { fingerprint256 } = new X509Certificate(ownCertificate.pair.cert);
  log.info("serving with a self-signed certificate", { sha256: fingerprint256 });
  return ownCertificate;
}
