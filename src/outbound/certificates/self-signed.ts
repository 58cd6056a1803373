// Creates a self-signed certificate, for private networks and until another one exists.
import { isIP } from "node:net";
import { DAY_SECONDS } from "../../contract/units.ts";
import { type ValidatedPair, checkedPair } from "./pair.ts";

/** Browsers accept no longer validity. */
const VALIDITY_MS = 397 * DAY_SECONDS * 1000;
/** Tolerance for differing clocks. */
const BEFORE_MS = DAY_SECONDS * 1000;
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

export async function selfSigned(names: readonly string[], now: number): Promise<ValidatedPair> {
  await import("reflect-metadata");
  const x509 = await import("@peculiar/x509");
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [names[0]!] }],
    notBefore: new Date(now - BEFORE_MS),
    notAfter: new Date(now + VALIDITY_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({
          type: isIP(value) === 0 ? ("dns" as const) : ("ip" as const),
          value,
        })),
      ),
    ],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
  return checkedPair(`${certificate.toString("pem")}\n`, pemOf("PRIVATE KEY", pkcs8));
}

const PEM_COLUMNS = /.{1,64}/g;

function pemOf(label: string, bytes: Buffer): string {
  const lines = bytes.toString("base64").match(PEM_COLUMNS)!.join("\n");
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
