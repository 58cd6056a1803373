// Push tokens of phones, stored for a future push service.
import {
  apnsTokenInvalid,
  deviceNotFound,
  pushKeyIncomplete,
  pushKeyInvalid,
  pushServiceNotConfigured,
  pushTokenIdInvalid,
  pushTokenIncomplete,
  pushTokenLengthInvalid,
  pushTokenNotFound,
} from "../../contract/errors/people.ts";
import { nothing } from "../../contract/shapes/value-types.ts";
import { type Endpoint, endpoint, int, optional, text, textOf } from "../../endpoint.ts";
import type { Writer } from "../../realm.ts";
import type { PushToken } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { credentialOf } from "./actions.ts";
import {
  APP_ID_LENGTH_MAX,
  isApnsToken,
  isPushKey,
  isTokenId,
  PUSH_KEY_ID_MAX,
  PUSH_TOKEN_LENGTH_MAX,
  PUSH_TOKENS_PER_USER_MAX,
} from "./rules.ts";

type TokenKey = Pick<PushToken, "kind" | "token">;

/** A token belongs to one account: the one that signed in last on that phone. */
function addPushToken(
  tx: Writer,
  { user_id }: User,
  key_id: number,
  { kind, token, appid }: TokenKey & { appid: string | null },
): void {
  checkToken({ kind, token });

  const hash = hashOf({ kind, token });
  const others = tx.push_tokens.listBy("user", user_id).filter((token) => token.hash !== hash);
  const oldestFirst = others.sort((a, b) => a.registered - b.registered);
  const excess = Math.max(0, others.length - PUSH_TOKENS_PER_USER_MAX + 1);
  for (const token of oldestFirst.slice(0, excess)) tx.push_tokens.delete(token.hash);
  tx.push_tokens.put({ hash, user_id, key_id, kind, token, appid, registered: tx.now });
}

function removePushToken(tx: Writer, { user_id }: User, token: TokenKey): void {
  checkToken(token);
  const hash = hashOf(token);
  if (tx.push_tokens.get(hash)?.user_id !== user_id) throw pushTokenNotFound();

  tx.push_tokens.delete(hash);
}

export const postAndroidToken = endpoint({
  summary: "Register a push token of an Android device",
  tag: "Devices",
  params: { token: text },
  answer: nothing,
  async run({ realm, user, ...params }, { token }) {
    const key_id = credentialOf(params);
    await realm.write((tx) => addPushToken(tx, user, key_id, { kind: "fcm", token, appid: null }));
    return {};
  },
});

export const postAppleToken = endpoint({
  summary: "Register a push token of an Apple device",
  tag: "Devices",
  params: { token: text, appid: textOf({ max: APP_ID_LENGTH_MAX }) },
  answer: nothing,
  async run({ realm, user, ...params }, { token, appid }) {
    const key_id = credentialOf(params);
    await realm.write((tx) => addPushToken(tx, user, key_id, { kind: "apns", token, appid }));
    return {};
  },
});

export const deleteAndroidToken = deleting("fcm");
export const deleteAppleToken = deleting("apns");

function deleting(kind: PushToken["kind"]): Endpoint {
  return endpoint({
    summary: `Remove a push token of an ${kind === "fcm" ? "Android" : "Apple"} device`,
    tag: "Devices",
    params: { token: text },
    answer: nothing,
    async run({ realm, user }, { token }) {
      await realm.write((tx) => removePushToken(tx, user, { kind, token }));
      return {};
    },
  });
}

/** Encrypted push needs a push service that delivers to phones, which is not supported. */
export const registerPush = endpoint({
  summary: "Register a device for encrypted push notifications. Not available on this server",
  tag: "Devices",
  params: {
    device_id: int,
    push_key_id: optional(int),
    push_key: optional(text),
    token_kind: optional(text),
    token_id: optional(text),
    bouncer_public_key: optional(text),
    encrypted_push_registration: optional(text),
  },
  answer: nothing,
  refuses: ["PUSH_SERVICE_NOT_CONFIGURED"],
  run({ realm, user }, { device_id, push_key_id, push_key, ...token }) {
    if (!realm.read.devices.has(user.user_id, device_id)) throw deviceNotFound();
    checkPushKey(push_key_id, push_key);
    const { token_kind, token_id } = token;
    const input = Object.values(token).filter((value) => value !== undefined).length;
    if (input > 0 && input < Object.keys(token).length) throw pushTokenIncomplete();
    if (input === 0 && push_key === undefined) throw pushTokenIncomplete();
    if (token_kind !== undefined && token_kind !== "fcm" && token_kind !== "apns") {
      throw pushTokenIncomplete();
    }
    if (token_id !== undefined && !isTokenId(token_id)) throw pushTokenIdInvalid();
    throw pushServiceNotConfigured();
  },
});

function checkPushKey(push_key_id: number | undefined, push_key: string | undefined): void {
  if ((push_key_id === undefined) !== (push_key === undefined)) throw pushKeyIncomplete();
  if (push_key_id === undefined || push_key === undefined) return;
  if (push_key_id < 0 || push_key_id > PUSH_KEY_ID_MAX) throw pushKeyInvalid();
  if (!isPushKey(push_key)) throw pushKeyInvalid();
}

function checkToken({ kind, token }: TokenKey): void {
  if (token === "" || token.length > PUSH_TOKEN_LENGTH_MAX) throw pushTokenLengthInvalid();
  if (kind === "apns" && !isApnsToken(token)) throw apnsTokenInvalid();
}

/** Hashed, because a token may be longer than a table's maximum key. */
function hashOf({ kind, token }: TokenKey): string {
  return new Bun.CryptoHasher("sha256").update(`${kind} ${token}`).digest("hex");
}
