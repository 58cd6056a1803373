// Sends the waiting pushes of a subscription in order, and tests subscriptions.
import Type from "typebox";
import { nullable } from "../../contract/shapes/value-types.ts";
import { endpoint, nonNegativeInt } from "../../endpoint.ts";
import { GuardedClient } from "../../outbound/client.ts";
import { type Delivery, publish, pushSealed, withdraw } from "../../outbound/push.ts";
import { perRealm, type Reader, type Realm, type Writer } from "../../realm.ts";
import { JobFailed } from "../../runner/runner.ts";
import type { PushFailure, PushSubscription, WaitingPush } from "../../schema/records-people.ts";
import type { DueJob } from "../../schema/records.ts";
import { hasDoNotDisturb } from "../notifications/activity.ts";
import { triggerOf } from "../notifications/trigger.ts";
import { isDeactivated } from "../realm/access.ts";
import { decryptText } from "../secrets/encrypted.ts";
import { loggingClient } from "../security-log/jobs.ts";
import { accessSubscription, NTFY_TOKEN } from "./actions.ts";
import { signerOf } from "./keys.ts";
import { forgetPushed, forgetSubscription } from "./queue/delete.ts";
import {
  ASKED_PAUSE_MS_MAX,
  ntfyTopicOf,
  PUSH_PAUSES_MS,
  PUSH_TTL_SECONDS,
  PUSHES_WAITING_MAX,
} from "./queue/rules.ts";
import {
  drop,
  continuePushing,
  PUSH,
  pushedTo,
  type PushJob,
  rememberPushed,
  waitingFor,
} from "./queue/queue.ts";
import {
  isPersonal,
  messagePayload,
  ntfyMessage,
  removalPayload,
  tagOf,
  type PayloadOptions,
  reasonFor,
  testPayload,
  testContent,
  pushContentOf,
} from "./payload.ts";

const clientFor = (realm: Realm, { user_id }: PushSubscription) =>
  loggingClient(realm, clientOf(realm), user_id);
const clientOf = perRealm(({ config }) => new GuardedClient(config.outbound_allow));

/** Stores the result in the transaction that ends the job. */
export async function push(realm: Realm, job: DueJob): Promise<void> {
  const { push_id, attempts } = job.payload as PushJob;
  const row = realm.read.push_subscriptions.get(push_id);
  const batch = row ? nextPushes(realm.read, row) : [];
  if (!row || batch.length === 0) return proceed(realm, job, row, batch);
  const delivery = await deliveryOf(realm, row, batch).catch(async (error: unknown) => {
    // A failure does not block other jobs.
    await proceed(realm, job, row, batch);
    throw new JobFailed("a push was dropped", { cause: error });
  });
  if (delivery?.is === "put off" && attempts < PUSH_PAUSES_MS.length) {
    return postpone(realm, job, attempts, delivery);
  }
  await proceed(realm, job, row, batch, delivery);
}

/** The next message, or all pending withdrawals if one push can contain them. */
function nextPushes(reader: Reader, { push_id, kind }: PushSubscription): WaitingPush[] {
  const queued = waitingFor(reader, push_id, PUSHES_WAITING_MAX);
  const isBatch = kind === "web" && queued[0]?.is_removal;
  return isBatch ? queued.filter(({ is_removal }) => is_removal) : queued.slice(0, 1);
}

/**
 * `withdrawn`: the notifications that this push removes, including those that another push had
 * already removed.
 */
type PushResult = Delivery & { withdrawn?: readonly number[] };

/** undefined if the message must not be pushed any more. */
function deliveryOf(
  realm: Realm,
  row: PushSubscription,
  batch: readonly WaitingPush[],
): Promise<PushResult | undefined> {
  const [{ message_id, is_removal }] = batch as [WaitingPush];
  return is_removal ? pushRemoval(realm, row, batch) : pushMessage(realm, row, message_id);
}

async function pushMessage(
  realm: Realm,
  row: PushSubscription,
  message_id: number,
): Promise<PushResult | undefined> {
  // Loaded before the final check of the message, because it may read from disk.
  const signer = row.kind === "web" ? await signerOf(realm) : undefined;
  const context = payloadFor(realm, row, message_id);
  if (!context) return undefined;
  const { trigger, content: pushContent, ttl_seconds } = context;
  if (!signer) {
    const { server, topic } = ntfyOf(realm, row);
    return publish(clientFor(realm, row), server, ntfyMessage(topic, pushContent, context));
  }
  const urgency = isPersonal(trigger) ? "high" : "normal";
  const headers = { ttl_seconds, urgency, topic: tagOf(message_id) } as const;
  const withdrawn = row.with_removals ? [] : outdatedNotifications(realm.read, row);
  const payload = messagePayload(realm, context, withdrawn);
  const delivery = await pushSealed(clientFor(realm, row), row, signer, payload, headers);
  return { ...delivery, withdrawn };
}

/** Notifications at this subscription whose messages were read or deleted. */
function outdatedNotifications(reader: Reader, { push_id, user_id }: PushSubscription): number[] {
  return pushedTo(reader, push_id).flatMap(({ message_id }) =>
    isNews(reader, user_id, message_id) ? [] : [message_id],
  );
}

function isNews(reader: Reader, user_id: number, message_id: number): boolean {
  const [user, message] = [reader.users.get(user_id), reader.messages.get(message_id)];
  return !!user && !!message && triggerOf(reader, user, message, "push") !== undefined;
}

/** Uses the current state: no notification for messages that are now read or inaccessible. */
function payloadFor(
  realm: Realm,
  row: PushSubscription,
  message_id: number,
): (PayloadOptions & { ttl_seconds: number }) | undefined {
  const { read } = realm;
  const { user_id } = row;
  const [user, message] = [read.users.get(user_id), read.messages.get(message_id)];
  if (!user || !message || isDeactivated(read) || hasDoNotDisturb(read, user)) return undefined;
  const trigger = triggerOf(read, user, message, "push");
  const ttl_seconds = PUSH_TTL_SECONDS - (read.now - message.timestamp);
  if (!trigger || ttl_seconds <= 0) return undefined;
  return {
    user_id,
    message_id,
    trigger,
    content: pushContentOf(realm, row, user, message),
    ttl_seconds,
  };
}

async function pushRemoval(
  realm: Realm,
  row: PushSubscription,
  batch: readonly WaitingPush[],
): Promise<Delivery> {
  const ids = batch.map(({ message_id }) => message_id);
  if (row.kind === "ntfy") {
    const { server, topic } = ntfyOf(realm, row);
    const isRemoved = !realm.read.messages.has(ids[0]!);
    return withdraw(clientFor(realm, row), server, topic, tagOf(ids[0]!), isRemoved);
  }
  const signer = await signerOf(realm);
  const topic = ids.length === 1 ? { topic: tagOf(ids[0]!) } : {};
  const headers = { ttl_seconds: PUSH_TTL_SECONDS, urgency: "normal", ...topic } as const;
  const payload = removalPayload(realm, row.user_id, ids);
  return pushSealed(clientFor(realm, row), row, signer, payload, headers);
}

function ntfyOf(realm: Realm, { endpoint: address, sealed_token }: PushSubscription) {
  const { server: url, topic } = ntfyTopicOf(address)!;
  const token = sealed_token === null ? undefined : decryptText(realm, sealed_token, NTFY_TOKEN);
  return { server: { url, token }, topic };
}

function postpone(realm: Realm, job: DueJob, attempts: number, delivery: Delivery): Promise<void> {
  const { push_id } = job.payload as PushJob;
  return realm.write((tx) => {
    if (!tx.due.get(job.at, job.job_id)) return;
    tx.due.delete(job.at, job.job_id);
    recordFailure(tx, push_id, delivery);
    const next: PushJob = { push_id, attempts: attempts + 1 };
    const pause_ms = Math.max(PUSH_PAUSES_MS[attempts]!, requestedPauseMs(realm, delivery));
    tx.enqueue(PUSH, realm.clock.now() + pause_ms, next);
  });
}

/** The pause that the push service asks for, from seconds or a time. 0 if it names none. */
function requestedPauseMs({ clock }: Realm, { retry_after = "" }: Delivery): number {
  const isSeconds = /^\d{1,9}$/.test(retry_after);
  const ms = isSeconds ? Number(retry_after) * 1_000 : Date.parse(retry_after) - clock.now();
  return Number.isNaN(ms) ? 0 : Math.min(ms, ASKED_PAUSE_MS_MAX);
}

/** Continues with the next push, unless the endpoint no longer exists or cannot be reached. */
function proceed(
  realm: Realm,
  job: DueJob,
  row: PushSubscription | undefined,
  batch: readonly WaitingPush[],
  delivery?: PushResult,
): Promise<void> {
  return realm.write((tx) => {
    if (!tx.due.get(job.at, job.job_id)) return;
    tx.due.delete(job.at, job.job_id);
    if (!row || !tx.push_subscriptions.has(row.push_id)) return;
    if (delivery?.is === "gone") return forgetSubscription(tx, row.push_id);
    if (delivery) recordResult(tx, row, batch[0]!, delivery);
    const isPutOff = delivery?.is === "put off";
    const donePushes = isPutOff ? waitingFor(tx, row.push_id, PUSHES_WAITING_MAX) : batch;
    for (const queuedPush of donePushes) drop(tx, queuedPush);
    if (delivery?.is === "taken" && !batch[0]!.is_removal) {
      for (const id of delivery.withdrawn ?? []) tx.pushed_messages.delete(row.push_id, id);
      recordPushed(tx, row, batch[0]!);
    }
    if (waitingFor(tx, row.push_id, 1).length > 0) continuePushing(tx, row.push_id);
  });
}

/**
 * Stores the result of a push. If the server cannot withdraw notifications, it is not asked again,
 * and the result is not an error.
 */
function recordResult(
  tx: Writer,
  { push_id }: PushSubscription,
  { is_removal }: WaitingPush,
  delivery: Delivery,
): void {
  if (!is_removal || delivery.is !== "refused") return recordFailure(tx, push_id, delivery);
  tx.push_subscriptions.put({ ...tx.push_subscriptions.get(push_id)!, with_removals: false });
  forgetPushed(tx, push_id);
}

/** If the message was read while the push was sent, it is removed again. */
function recordPushed(
  tx: Writer,
  { push_id, user_id, kind, with_removals }: PushSubscription,
  { message_id }: WaitingPush,
): void {
  if (!with_removals && kind !== "web") return;
  if (!with_removals || isNews(tx, user_id, message_id))
    rememberPushed(tx, { push_id, message_id, user_id });
  else tx.waiting_pushes.put({ push_id, message_id, is_removal: true });
}

/** Stores the error and its time, which the user sees in the list of subscriptions. */
function recordFailure(tx: Writer, push_id: number, { is, status, reason }: Delivery): void {
  const row = tx.push_subscriptions.get(push_id);
  if (!row || (row.failure?.reason ?? "") === reason) return;
  const timestamp = row.failure?.timestamp ?? tx.now;
  const failure: PushFailure | null = is === "taken" ? null : { timestamp, status, reason };
  tx.push_subscriptions.put({ ...row, failure });
}

/** Reports the push service's actual response; an accepted push may still not arrive. */
export const testPushSubscription = endpoint({
  summary: "Send a test push notification to a subscription",
  tag: "Devices",
  params: { push_subscription_id: nonNegativeInt },
  answer: Type.Object({
    is_taken: Type.Boolean(),
    is_gone: Type.Boolean(),
    status: nullable(Type.Integer()),
    reason: nullable(Type.String()),
  }),
  async run({ realm, user }, { push_subscription_id }) {
    const row = accessSubscription(realm.read, user, push_subscription_id);
    const delivery = await pushTest(realm, row);
    await realm.write((tx) => {
      if (!tx.push_subscriptions.has(row.push_id)) return;
      if (delivery.is === "gone") forgetSubscription(tx, row.push_id);
      else recordFailure(tx, row.push_id, delivery);
    });
    const { is, status } = delivery;
    const reason = reasonFor(user, delivery.reason);
    return { is_taken: is === "taken", is_gone: is === "gone", status, reason };
  },
});

async function pushTest(realm: Realm, row: PushSubscription): Promise<Delivery> {
  if (row.kind === "ntfy") {
    const { server, topic } = ntfyOf(realm, row);
    return publish(
      clientFor(realm, row),
      server,
      ntfyMessage(topic, testContent(realm, row.user_id)),
    );
  }
  const signer = await signerOf(realm);
  const headers = { ttl_seconds: TEST_TTL_SECONDS, urgency: "high" } as const;
  return pushSealed(clientFor(realm, row), row, signer, testPayload(realm, row.user_id), headers);
}

const TEST_TTL_SECONDS = 60;
