// Push subscriptions: the endpoints that notify a user immediately.
import Type from "typebox";
import {
  ntfyTopicInvalid,
  pushAddressInvalid,
  pushPointInvalid,
  pushSubscriptionNotFound,
} from "../../contract/errors/people.ts";
import { list, nothing } from "../../contract/shapes/value-types.ts";
import {
  bool,
  defaulted,
  endpoint,
  nonNegativeInt,
  optional,
  text,
  textOf,
} from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { PushSubscription } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { credentialOf } from "../devices/actions.ts";
import { startNotifying } from "../notifications/enqueue.ts";
import { encryptText } from "../secrets/encrypted.ts";
import { isOnCurve, signerOf } from "./keys.ts";
import { ACCOUNT_KEY_ID, forgetSubscription } from "./queue/delete.ts";
import {
  inBase64url,
  isPushAddress,
  isPushAuth,
  isPushPoint,
  NTFY_TOKEN_LENGTH_MAX,
  ntfyTopicOf,
  PUSH_NAME_LENGTH_MAX,
  PUSH_SUBSCRIPTIONS_PER_USER_MAX,
} from "./queue/rules.ts";
import { subscriptionObject } from "./payload.ts";

type SubscriptionInput = Pick<
  PushSubscription,
  | "kind"
  | "key_id"
  | "endpoint"
  | "p256dh"
  | "auth"
  | "sealed_token"
  | "name"
  | "with_content"
  | "with_removals"
>;

/** Subscribing again with the same endpoint updates the subscription. */
function addSubscription(tx: Writer, { user_id }: User, input: SubscriptionInput): number {
  const hash = hashOf(user_id, input);
  const existing = tx.push_subscriptions.findBy("hash", hash);
  if (existing?.user_id === user_id) {
    tx.push_subscriptions.put({ ...existing, ...input, failure: null });
    return existing.push_id;
  }
  startNotifying(tx);
  // A browser belongs to the account that signed in last there.
  if (existing) forgetSubscription(tx, existing.push_id);
  const own = subscriptionsOf(tx, user_id);
  const excess = Math.max(0, own.length - PUSH_SUBSCRIPTIONS_PER_USER_MAX + 1);
  for (const { push_id } of own.slice(0, excess)) forgetSubscription(tx, push_id);
  const push_id = tx.next("push_subscriptions");
  const after_message_id = tx.last("messages");
  const created = { push_id, user_id, hash, registered: tx.now, after_message_id, failure: null };
  tx.push_subscriptions.put({ ...input, ...created });
  return push_id;
}

function removeSubscription(tx: Writer, user: User, push_id: number): void {
  accessSubscription(tx, user, push_id);

  forgetSubscription(tx, push_id);
}

export function accessSubscription(
  reader: Reader,
  { user_id }: User,
  push_id: number,
): PushSubscription {
  const row = reader.push_subscriptions.get(push_id);
  if (row?.user_id !== user_id) throw pushSubscriptionNotFound();
  return row;
}

const nameParameter = defaulted(
  textOf({ max: PUSH_NAME_LENGTH_MAX, trimmed: true, line: true }),
  "",
);

/** A browser needs the public key before it subscribes, so the list includes it. */
export const getPushSubscriptions = endpoint({
  summary: "List your push subscriptions",
  tag: "Devices",
  params: {},
  answer: Type.Object({
    application_server_key: Type.String(),
    push_subscriptions: list(Type.Unknown()),
  }),
  async run({ realm, user }) {
    const { public_key: application_server_key } = await signerOf(realm);
    const rows = subscriptionsOf(realm.read, user.user_id);
    const push_subscriptions = rows.map((row) => subscriptionObject(row, user));
    return { application_server_key, push_subscriptions };
  },
});

const pushedShape = Type.Object({ push_subscription_id: Type.Integer() });

export const postPushSubscription = endpoint({
  summary: "Add a Web Push subscription",
  tag: "Devices",
  params: {
    endpoint: text,
    p256dh: text,
    auth: text,
    name: nameParameter,
    with_content: defaulted(bool, true),
    with_removals: defaulted(bool, false),
  },
  answer: pushedShape,
  async run({ realm, user, ...params }, { endpoint: address, p256dh, auth, ...input }) {
    if (!isPushAddress(address)) throw pushAddressInvalid();
    if (!isPushPoint(p256dh) || !isOnCurve(p256dh) || !isPushAuth(auth)) throw pushPointInvalid();
    const key_id = credentialOf(params);
    const point = { endpoint: address, p256dh: inBase64url(p256dh), auth: inBase64url(auth) };
    const row: SubscriptionInput = { kind: "web", key_id, ...point, sealed_token: null, ...input };
    return { push_subscription_id: await realm.write((tx) => addSubscription(tx, user, row)) };
  },
});

/** An ntfy topic belongs to the account and outlives the session that added it. */
export const postNtfyTopic = endpoint({
  summary: "Add an ntfy topic to push to",
  tag: "Devices",
  params: {
    topic_url: text,
    access_token: optional(textOf({ max: NTFY_TOKEN_LENGTH_MAX })),
    name: nameParameter,
    with_content: defaulted(bool, true),
    with_removals: defaulted(bool, true),
  },
  answer: pushedShape,
  async run({ realm, user }, { topic_url, access_token: token = "", ...input }) {
    const isToken = /^[\x21-\x7e]*$/.test(token);
    if (!ntfyTopicOf(topic_url) || !isToken) throw ntfyTopicInvalid();
    const sealed_token = token === "" ? null : encryptText(realm, token, NTFY_TOKEN);
    const point = { endpoint: topic_url, p256dh: "", auth: "" };
    const row: SubscriptionInput = {
      kind: "ntfy",
      key_id: ACCOUNT_KEY_ID,
      ...point,
      sealed_token,
      ...input,
    };
    return { push_subscription_id: await realm.write((tx) => addSubscription(tx, user, row)) };
  },
});

/** The context that encrypted tokens are bound to. */
export const NTFY_TOKEN = "ntfy token";

export const deletePushSubscription = endpoint({
  summary: "Remove a push subscription",
  tag: "Devices",
  params: { push_subscription_id: nonNegativeInt },
  answer: nothing,
  async run({ realm, user }, { push_subscription_id }) {
    await realm.write((tx) => removeSubscription(tx, user, push_subscription_id));
    return {};
  },
});

/** Returns the subscriptions in order of registration. */
function subscriptionsOf(reader: Reader, user_id: number): PushSubscription[] {
  return reader.push_subscriptions.listBy("user", user_id).sort((a, b) => a.push_id - b.push_id);
}

/** A browser's endpoint belongs to one user; several users may subscribe to one ntfy topic. */
function hashOf(user_id: number, { kind, endpoint: address }: SubscriptionInput): string {
  const hashInput = kind === "web" ? `web ${address}` : `ntfy ${user_id} ${address}`;
  return new Bun.CryptoHasher("sha256").update(hashInput).digest("hex");
}
