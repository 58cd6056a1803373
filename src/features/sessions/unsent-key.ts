// Keys for unsent texts that a browser keeps, encrypted, after a session has ended.
import { createECDH, type ECDH, hkdfSync } from "node:crypto";
import Type from "typebox";
import { unsentKeyInvalid } from "../../contract/errors/people.ts";
import { endpoint, textOf } from "../../endpoint.ts";
import type { Reader } from "../../realm.ts";
import type { User } from "../../schema/records.ts";

/** WebCrypto calls it P-256. */
const CURVE = "prime256v1";
const KEY_BYTES = 32;
/** The client derives its key with the same label: src/web/sync/unsent/seal.ts. */
const LABEL = "skein unsent texts";
/** An uncompressed point of the curve in base64url. */
const PUBLIC_KEY_LENGTH_MAX = 100;

export const getUnsentKey = endpoint({
  summary: "Get the public key that encrypts your unsent texts",
  tag: "Pages",
  params: {},
  answer: Type.Object({ public_key: Type.String() }),
  run: ({ realm, user }) => ({ public_key: encoded(keyPairOf(realm.read, user)) }),
});

/** Only a browser that is signed in to the account can decrypt what was encrypted for it. */
export const openUnsentKey = endpoint({
  summary: "Get the key that decrypts unsent texts",
  tag: "Pages",
  params: { public_key: textOf({ max: PUBLIC_KEY_LENGTH_MAX, line: true }) },
  answer: Type.Object({ key: Type.String() }),
  refuses: ["BAD_REQUEST"],
  run: ({ realm, user }, { public_key }) => {
    const ecdh = keyPairOf(realm.read, user);
    const clientKey = Buffer.from(public_key, "base64url");
    const key = hkdfSync("sha256", confirm(ecdh, clientKey), clientKey, LABEL, KEY_BYTES);
    return { key: Buffer.from(key).toString("base64url") };
  },
});

const encoded = (pair: ECDH) => pair.getPublicKey().toString("base64url");

function confirm(ecdh: ECDH, clientKey: Buffer): Buffer {
  try {
    return ecdh.computeSecret(clientKey);
  } catch {
    throw unsentKeyInvalid();
  }
}

/** Derived instead of stored: it stays the same for as long as the server has its secret. */
function keyPairOf({ secret }: Reader, { user_id }: Pick<User, "user_id">): ECDH {
  const pair = createECDH(CURVE);
  for (let attempt = 0; ; attempt++) {
    const scalar = secret.derive(`unsent texts of ${user_id}, attempt ${attempt}`);
    try {
      // About one in 2^32 numbers is not a valid private key of this curve.
      pair.setPrivateKey(scalar);
      return pair;
    } catch (error) {
      if (attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

const ATTEMPTS_MAX = 3;
