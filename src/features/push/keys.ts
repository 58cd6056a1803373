// The keys that identify the organization to push services (VAPID, RFC 8292), created on first use.
import { createECDH } from "node:crypto";
import type { Reader, Realm, Writer } from "../../realm.ts";
import { hostOf } from "../people/wire.ts";
import { REALM_ID } from "../realm/rules.ts";
import { encryptText, decryptText } from "../secrets/encrypted.ts";
import { forgetSubscription } from "./queue/delete.ts";

interface Signer {
  /** base64url. */
  public_key: string;
  private_key: string;
  /** Contact of the operator for push services. */
  subject: string;
}

const CURVE = "prime256v1";
const PRIVATE_KEY_BYTES = 32;
const SIGNING_CONTEXT = "push key";

/** If the secret was lost, new keys are created and browsers subscribe again. */
export async function signerOf(realm: Realm): Promise<Signer> {
  const pushKeys = keysIn(realm, realm.read);
  if (pushKeys) return { ...pushKeys, subject: subjectOf(realm) };
  const created = newKeys();
  const sealed = encryptText(realm, created.private_key, SIGNING_CONTEXT);
  const keys = await realm.write((tx) => {
    const others = keysIn(realm, tx);
    if (others) return others;
    if (tx.push_keys.has(REALM_ID)) forgetThoseOfOldKeys(tx);
    tx.push_keys.put({ realm_id: REALM_ID, public_key: created.public_key, sealed });
    return created;
  });
  return { ...keys, subject: subjectOf(realm) };
}

function forgetThoseOfOldKeys(tx: Writer): void {
  for (const { kind, push_id } of [...tx.push_subscriptions.range()]) {
    if (kind === "web") forgetSubscription(tx, push_id);
  }
}

/** Whether a text with the format of a public key is valid. */
export function isOnCurve(point: string): boolean {
  const ecdh = createECDH(CURVE);
  ecdh.generateKeys();
  try {
    ecdh.computeSecret(Buffer.from(point, "base64url"));
    return true;
  } catch {
    return false;
  }
}

function keysIn(realm: Realm, reader: Reader): Omit<Signer, "subject"> | undefined {
  const row = reader.push_keys.get(REALM_ID);
  const private_key = row && decryptText(realm, row.sealed, SIGNING_CONTEXT);
  return private_key === undefined ? undefined : { public_key: row!.public_key, private_key };
}

function newKeys(): Omit<Signer, "subject"> {
  const pair = createECDH(CURVE);
  const public_key = pair.generateKeys("base64url");
  const bytes = Buffer.alloc(PRIVATE_KEY_BYTES);
  const number = pair.getPrivateKey();
  number.copy(bytes, PRIVATE_KEY_BYTES - number.length);
  return { public_key, private_key: bytes.toString("base64url") };
}

function subjectOf({ config }: Realm): string {
  if (config.url.startsWith("https:")) return config.url;
  return `mailto:${config.mail?.from.address ?? `postmaster@${hostOf(config.url)}`}`;
}
