// API keys: creating, listing, revoking and replacing them.
import Type from "typebox";
import { apiKeyNotFound } from "../../contract/errors/people.ts";
import { list, nothing, seconds } from "../../contract/shapes/value-types.ts";
import { defaulted, endpoint, int, text } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { ApiKey } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { dropDevices } from "../devices/actions.ts";
import { ACCOUNT_KEY_ID, dropSubscriptions } from "../push/queue/delete.ts";
import { checkOwnPassword } from "../passwords/confirm.ts";
import { newKeyFor, type NewKey, onceShownKey } from "../secrets/encrypted.ts";
import { keysToRemove } from "./limit.ts";

/** Beyond this, an existing key is removed. */
export const KEYS_PER_USER_MAX = 100;

/** Closes the event queues of sessions and API keys that have ended. */
export const END_QUEUES = "end queues";

/** Jobs of earlier versions name sessions only. */
export interface EndedLogins {
  readonly session_ids?: readonly number[];
  readonly keys?: readonly Pick<ApiKey, "user_id" | "key_id">[];
}

/** Creates an API key for a client program of this account. Temporary keys are not stored. */
export function newApiKey(
  tx: Writer,
  user: User,
  client: string,
  { key, hash, sealed }: NewKey = onceShownKey(),
  is_app_password = false,
): string {
  const keys = tx.api_keys.listBy("user", user.user_id).sort((a, b) => a.key_id - b.key_id);
  deleteKeys(tx, keysToRemove(keys, KEYS_PER_USER_MAX, tx.now));
  tx.api_keys.put({
    key_id: tx.next("keys"),
    user_id: user.user_id,
    hash,
    client,
    created: tx.now,
    last_used: tx.now,
    sealed,
    is_app_password,
  });
  return key;
}

/** Creates a key for a user who is signed in with a browser. */
export const fetchOwnKey = endpoint({
  summary: "Get a new API key with a browser session",
  tag: "Signing in",
  params: { password: defaulted(text, "") },
  run: async (context, { password }) => {
    const { realm, user, client } = context;
    const confirmed = await checkOwnPassword(context, password);
    const api_key = await realm.write((tx) => newApiKey(tx, confirmed(tx), client));
    return { api_key, email: user.delivery_email };
  },
});

export const listKeys = endpoint({
  summary: "List your API keys",
  tag: "Signing in",
  params: {},
  answer: Type.Object({
    api_keys: list(
      Type.Object({
        id: Type.Integer(),
        client: Type.String(),
        created: seconds,
        last_used: seconds,
        current: Type.Boolean(),
      }),
    ),
  }),
  run: ({ realm: { read }, user, key }) => {
    const keys = read.api_keys.listBy("user", user.user_id).sort((a, b) => a.key_id - b.key_id);
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
  deleteKeys(tx, [accessOwnKey(tx, user, key_id)]);
}

/** Deletes the keys, what they registered for push, and, after the commit, their queues. */
function deleteKeys(tx: Writer, keys: readonly ApiKey[]): void {
  if (keys.length === 0) return;
  for (const { user_id, key_id } of keys) {
    tx.api_keys.delete(key_id);
    dropDevices(tx, user_id, key_id);
  }
  const endedKeys = keys.map(({ user_id, key_id }) => ({ user_id, key_id }));
  tx.enqueue(END_QUEUES, 0, { keys: endedKeys } satisfies EndedLogins);
}

/** Ends all of a user's keys and app passwords except the key of this request. */
export function endKeysOf(tx: Writer, { user_id }: User, except?: number): void {
  deleteKeys(
    tx,
    tx.api_keys.listBy("user", user_id).filter(({ key_id }) => key_id !== except),
  );
  dropSubscriptions(tx, user_id, ACCOUNT_KEY_ID);
}

export const deleteKey = endpoint({
  summary: "Revoke one of your API keys",
  tag: "Signing in",
  params: { key_id: int },
  answer: nothing,
  run: ({ realm, user }, { key_id }) =>
    realm.write((tx) => {
      revokeKey(tx, user, key_id);
      return {};
    }),
});

interface EndedKeys {
  readonly api_keys_ended: number;
  readonly app_passwords_kept: number;
}

/**
 * Revokes all API keys of the account, because any of them may have leaked. App passwords are
 * revoked separately, because each belongs to one program; `asked_with`, the key of this request,
 * is always revoked.
 */
export function endApiKeys(tx: Writer, { user_id }: User, asked_with?: number): EndedKeys {
  const keys = tx.api_keys.listBy("user", user_id);
  const endedKeys = keys.filter(
    ({ key_id, is_app_password }) => !is_app_password || key_id === asked_with,
  );

  deleteKeys(tx, endedKeys);
  // Push topics (ntfy) belong to no key, so someone with the leaked key may have added one.
  dropSubscriptions(tx, user_id, ACCOUNT_KEY_ID);
  return { api_keys_ended: endedKeys.length, app_passwords_kept: keys.length - endedKeys.length };
}

/** Ends all API keys of the account, and creates one to replace the key of the request. */
function replaceKey(tx: Writer, user: User, key_id: number, key: NewKey) {
  const { client, is_app_password } = accessOwnKey(tx, user, key_id);

  const endedKeys = endApiKeys(tx, user, key_id);
  return { api_key: newApiKey(tx, user, client, key, is_app_password), ...endedKeys };
}

export const regenerateKey = endpoint({
  summary: "Replace your API key, and revoke all others of the account",
  tag: "Signing in",
  params: {},
  answer: Type.Object({
    api_key: Type.String(),
    api_keys_ended: Type.Integer(),
    app_passwords_kept: Type.Integer(),
  }),
  run({ realm, user, key: apiKey }) {
    const key = newKeyFor(realm, user);
    return realm.write((tx) => replaceKey(tx, user, apiKey!.key_id, key));
  },
});

/**
 * All previous keys of the account stop working with this transaction; the new one replaces them.
 */
export function replaceKeys(tx: Writer, user: User, client: string, key: NewKey): string {
  endKeysOf(tx, user);
  return newApiKey(tx, user, client, key);
}

function accessOwnKey(reader: Reader, user: User, key_id: number): ApiKey {
  const key = reader.api_keys.get(key_id);
  if (key?.user_id !== user.user_id) throw apiKeyNotFound();
  return key;
}
