// Identifies the sender of a push to the push service (RFC 8292).

const ECDSA_P256 = { name: "ECDSA", namedCurve: "P-256" };
const SIGNED = { name: "ECDSA", hash: "SHA-256" };
/** Push services accept at most a day. */
const VALID_SECONDS = 12 * 60 * 60;

/** Returns the `Authorization` header of a push to `origin`. */
export async function vapid(origin: string, { subject, ...keys }: PushSigner): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + VALID_SECONDS;
  const entries = [
    { typ: "JWT", alg: "ES256" },
    { aud: origin, exp, sub: subject },
  ];
  const text = entries.map((part) => base64url(JSON.stringify(part))).join(".");
  const signature = await crypto.subtle.sign(SIGNED, await keyOf(keys), Buffer.from(text));
  return `vapid t=${text}.${base64url(signature)}, k=${keys.public_key}`;
}

/** The public key consists of a marker byte and the two coordinates of its point. */
function keyOf({ public_key, private_key }: Omit<PushSigner, "subject">): Promise<CryptoKey> {
  const point = Buffer.from(public_key, "base64url");
  const [x, y] = [base64url(point.subarray(1, 33)), base64url(point.subarray(33))];
  const jwk = { kty: "EC", crv: "P-256", x, y, d: private_key };
  return crypto.subtle.importKey("jwk", jwk, ECDSA_P256, false, ["sign"]);
}

function base64url(bytes: string | ArrayBuffer | Buffer): string {
  return Buffer.from(bytes as string).toString("base64url");
}

export interface PushSigner {
  public_key: string;
  private_key: string;
  subject: string;
}
