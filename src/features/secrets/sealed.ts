// Secrets that somebody may read again: kept sealed beside the hash that they are known by.
import type { Realm } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { hashOfKey, randomKey } from "./random.ts";

export interface MadeKey {
  key: string;
  hash: string;
  /** null: nobody reads it a second time. */
  sealed: string | null;
}

/** Made before the transaction that keeps it. */
export function sealedKey(realm: Realm): MadeKey {
  const key = randomKey();
  const hash = hashOfKey(key);
  return { key, hash, sealed: realm.read.secret.seal(key, hash) };
}

/** A bot's owner reads its key again; a person's is shown once. */
export function keyFor(realm: Realm, { bot_type }: Pick<User, "bot_type">): MadeKey {
  return bot_type === null ? onceShownKey() : sealedKey(realm);
}

export function onceShownKey(): MadeKey {
  const key = randomKey();
  return { key, hash: hashOfKey(key), sealed: null };
}

/** The key, unless nothing sealed it or the secret of that time is gone. */
export function unsealed(realm: Realm, row: Pick<MadeKey, "hash" | "sealed">): string | undefined {
  return row.sealed ? realm.read.secret.open(row.sealed, row.hash) : undefined;
}

/** A text that only this organization's server reads again, and only in the same `place`. */
export function sealedText(realm: Realm, text: string, place: string): string {
  return realm.read.secret.seal(text, place);
}

export function unsealedText(realm: Realm, sealed: string, place: string): string | undefined {
  return realm.read.secret.open(sealed, place);
}
