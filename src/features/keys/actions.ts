// API keys: got by signing in, listed, revoked, replaced.
import Type from "typebox";
import { apiKeyNotFound } from "../../contract/errors/people.ts";
import { list, nothing, seconds } from "../../contract/shapes/kinds.ts";
import { defaulted, endpoint, int, text } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { ApiKey } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { dropDevices } from "../devices/actions.ts";
import { checkOwnPassword } from "../passwords/own.ts";
import { keyFor, type MadeKey, onceShownKey } from "../secrets/sealed.ts";
import { beyond } from "./room.ts";

/** One more, and another goes. */
export const KEYS_PER_USER_MAX = 100;

/** A new key of this account, for a client program; only what was made for keeping is kept. */
export function newApiKey(
  tx: Writer,
  user: User,
  client: string,
  { key, hash, sealed }: MadeKey = onceShownKey(),
): string {
  const keys = tx.api_keys.by("user", user.user_id).sort((a, b) => a.key_id - b.key_id);
  for (const old of beyond(keys, KEYS_PER_USER_MAX, tx.now)) dropKey(tx, old);
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

/** Who is signed in by browser gets a key for a script of theirs. */
export const fetchOwnKey = endpoint({
  summary: "Fetch a new API key in a session of the browser",
  tag: "Signing in",
  params: { password: defaulted(text, "") },
  run: async (context, { password }) => {
    const { realm, user, client } = context;
    await checkOwnPassword(context, password);
    const api_key = await realm.write((tx) => newApiKey(tx, user, client));
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
  dropKey(tx, accessOwnKey(tx, user, key_id));
}

/** And by what the client behind it is reached. */
function dropKey(tx: Writer, { user_id, key_id }: ApiKey): void {
  tx.api_keys.delete(key_id);
  dropDevices(tx, user_id, key_id);
}

/** All of a person's, but for the one with which it was asked for. */
export function endKeysOf(tx: Writer, user: User, except?: number): void {
  for (const { key_id } of tx.api_keys.by("user", user.user_id)) {
    if (key_id !== except) revokeKey(tx, user, key_id);
  }
}

export const deleteKey = endpoint({
  summary: "End one of your API keys",
  tag: "Signing in",
  params: { key_id: int },
  answer: nothing,
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
  summary: "Replace the API key that asks",
  tag: "Signing in",
  params: {},
  answer: Type.Object({ api_key: Type.String() }),
  run({ realm, user, key: asked }) {
    const key = keyFor(realm, user);
    return realm.write((tx) => ({ api_key: replaceKey(tx, user, asked!.key_id, key) }));
  },
});

/** Every key that the account had stops working with this transaction; this one works instead. */
export function replaceKeys(tx: Writer, user: User, client: string, key: MadeKey): string {
  for (const { key_id } of tx.api_keys.by("user", user.user_id)) tx.api_keys.delete(key_id);
  return newApiKey(tx, user, client, key);
}

function accessOwnKey(reader: Reader, user: User, key_id: number): ApiKey {
  const key = reader.api_keys.get(key_id);
  if (key?.user_id !== user.user_id) throw apiKeyNotFound();
  return key;
}
