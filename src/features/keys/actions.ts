// API keys: got by signing in, listed, revoked, replaced.
import { defaulted, endpoint, int, text } from "../../endpoint.ts";
import { apiKeyNotFound } from "../../errors-people.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { ApiKey } from "../../records-people.ts";
import type { User } from "../../records.ts";
import { dropDevices } from "../devices/actions.ts";
import { checkOwnPassword } from "../sessions/password.ts";
import { keyFor, type MadeKey, onceShownKey } from "./sealed.ts";

/** One more, and the key that was unused longest goes. */
export const KEYS_PER_USER_MAX = 100;

/** A new key of this account, for a client program; only what was made for keeping is kept. */
export function newApiKey(
  tx: Writer,
  user: User,
  client: string,
  { key, hash, sealed }: MadeKey = onceShownKey(),
): string {
  for (const old of unusedLongest(tx, user.user_id)) tx.api_keys.delete(old.key_id);
  tx.api_keys.put({
    key_id: tx.next("keys"),
    user_id: user.user_id,
    hash,
    client,
    created: tx.now,
    last_used: tx.now,
    sealed,
  });
  return key;
}

/** So many that one more keeps to the limit. */
function unusedLongest(tx: Writer, user_id: number): ApiKey[] {
  const keys = tx.api_keys.by("user", user_id);
  const excess = keys.length - KEYS_PER_USER_MAX + 1;
  if (excess <= 0) return [];
  return keys.sort((a, b) => a.last_used - b.last_used || a.key_id - b.key_id).slice(0, excess);
}

/** Who is signed in by browser gets a key for a script of theirs. */
export const fetchOwnKey = endpoint({
  params: { password: defaulted(text, "") },
  run: async ({ realm, user, client, address }, { password }) => {
    await checkOwnPassword(realm, user, { password, address });
    const api_key = await realm.write((tx) => newApiKey(tx, user, client));
    return { api_key, email: user.delivery_email };
  },
});

export const listKeys = endpoint({
  params: {},
  run: ({ realm: { read }, user, key }) => {
    const keys = read.api_keys.by("user", user.user_id).sort((a, b) => a.key_id - b.key_id);
    return {
      api_keys: keys.map(({ key_id, client, created, last_used }) => ({
        id: key_id,
        client,
        created,
        last_used,
        current: key_id === key?.key_id,
      })),
    };
  },
});

export function revokeKey(tx: Writer, user: User, key_id: number): void {
  accessOwnKey(tx, user, key_id);

  tx.api_keys.delete(key_id);
  dropDevices(tx, user.user_id, key_id);
}

export const deleteKey = endpoint({
  params: { key_id: int },
  run: ({ realm, user }, { key_id }) =>
    realm.write((tx) => {
      revokeKey(tx, user, key_id);
      return {};
    }),
});

/** The old key stops working with this transaction, and phones must register anew. */
export function replaceKey(tx: Writer, user: User, key_id: number, key: MadeKey): string {
  const { client } = accessOwnKey(tx, user, key_id);

  tx.api_keys.delete(key_id);
  dropDevices(tx, user.user_id);
  return newApiKey(tx, user, client, key);
}

export const regenerateKey = endpoint({
  params: {},
  run({ realm, user, key: asked }) {
    const key = keyFor(realm, user);
    return realm.write((tx) => ({ api_key: replaceKey(tx, user, asked!.key_id, key) }));
  },
});

function accessOwnKey(reader: Reader, user: User, key_id: number): ApiKey {
  const key = reader.api_keys.get(key_id);
  if (key?.user_id !== user.user_id) throw apiKeyNotFound();
  return key;
}
