// Encrypted secrets that an owner can read again, stored beside their hashes.
import type { Realm } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { hashOfSecret } from "../../server/caller/secrets.ts";
import { randomKey } from "./random.ts";

export interface NewKey {
  key: string;
  hash: string;
  /** null if the key cannot be displayed again. */
  sealed: string | null;
}

/** Must be called before the transaction that stores it. */
export function encryptedKey(realm: Realm): NewKey {
  const key = randomKey();
  const hash = hashOfSecret(key);
  return { key, hash, sealed: realm.read.secret.seal(key, hash) };
}

/** Owners can display the key of a bot again; a user's own key is shown once. */
export function newKeyFor(realm: Realm, { bot_type }: Pick<User, "bot_type">): NewKey {
  return bot_type === null ? onceShownKey() : encryptedKey(realm);
}

export function onceShownKey(): NewKey {
  const key = randomKey();
  return { key, hash: hashOfSecret(key), sealed: null };
}

/** The decrypted key; undefined if it was not encrypted or the server's secret has changed. */
export function decryptedKey(
  realm: Realm,
  row: Pick<NewKey, "hash" | "sealed">,
): string | undefined {
  return row.sealed ? realm.read.secret.open(row.sealed, row.hash) : undefined;
}

/** Encrypts a text for this organization's server; decrypting requires the same `context`. */
export function encryptText(realm: Realm, text: string, context: string): string {
  return realm.read.secret.seal(text, context);
}

export function decryptText(realm: Realm, sealed: string, context: string): string | undefined {
  return realm.read.secret.open(sealed, context);
}
