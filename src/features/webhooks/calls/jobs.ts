// Calls an outgoing webhook, and posts its reply as the bot.
import { Refusal } from "../../../contract/errors/general.ts";
import { GuardedClient, OutboundTimedOut, OutboundRefused } from "../../../outbound/client.ts";
import { perRealm, type Realm, type Writer } from "../../../realm.ts";
import type { BotCall, WebhookCall } from "../../../schema/records-people.ts";
import type { DueJob, User } from "../../../schema/records.ts";
import { silentMention } from "../../channels/bot-messages.ts";
import { type ComposedMessage, compose } from "../../messages/content/compose.ts";
import { urlOf } from "../../messages/content/quoting.ts";
import type { Recipient } from "../../messages/send/recipients.ts";
import { sendMessage } from "../../messages/send/send.ts";
import { subjectOf } from "../../messages/spelling-wire.ts";
import { isDeactivated } from "../../realm/access.ts";
import { loggingClient } from "../../security-log/jobs.ts";
import { calledMessage } from "../access.ts";
import { CALL_WEBHOOK, type CallingJob, callsOf } from "../actions.ts";
import { recordCall } from "../recent-calls.ts";
import { CALL_ANSWER_BYTES_MAX, CALL_MS, CALL_PAUSES_MS } from "../rules.ts";
import type { CalledMessage } from "../wire.ts";
import { type CallOutcome, type Failure, interpretResponse, webhookRequestOf } from "./request.ts";

/** Stores the reply in the transaction that ends the call, so that it is posted once. */
export async function callWebhook(realm: Realm, job: DueJob): Promise<void> {
  const { user_id } = job.payload as CallingJob;
  const [call] = callsOf(realm.read, user_id, 1);
  const message = call && currentCall(realm, call);
  if (!message) return realm.write((tx) => startCall(tx, job, call));
  const { answer: response, ...request } = await callUrl(realm, message);
  const { message_id } = call;
  if (response.is === "put off" && call.attempts < CALL_PAUSES_MS.length) {
    const { ownerReason } = response;
    return realm.write((tx) => {
      if (!postpone(tx, job, call)) return;
      recordCall(tx, user_id, {
        way: "out",
        message_id,
        outcome: "put off",
        why: ownerReason,
        ...request,
      });
    });
  }
  const text = replyOf(response);
  // The bot, its rights and the place of the message may have changed during the call.
  const { bot } = currentCall(realm, call) ?? message;
  const reply = text === undefined ? undefined : composedReply(realm, bot, text);
  await realm.write((tx) => {
    if (!tx.due.get(job.at, job.job_id)) return;
    const current = currentCall({ read: tx }, call);
    if (current) {
      const failure = finishCall(tx, current, response, reply) ?? null;
      const well = response.is === "reply" ? "said" : "quiet";
      const outcome = failure === null ? well : "failed";
      recordCall(tx, user_id, { way: "out", message_id, outcome, why: failure, ...request });
    }
    startCall(tx, job, call);
  });
}

const clientOf = perRealm(
  ({ config }) => new GuardedClient(config.outbound_allow, undefined, CALL_MS),
);

const OWN_CLIENT = "OutgoingWebhookResponse";

/** undefined if the message or bot no longer exists, or the bot lost access. */
function currentCall({ read }: Pick<Realm, "read">, call: WebhookCall): CalledMessage | undefined {
  const message = read.messages.get(call.message_id);
  if (!message || isDeactivated(read)) return undefined;
  return calledMessage(read, message, call.user_id);
}

/** Continues with the next waiting call of the bot. */
function startCall(tx: Writer, job: DueJob, call: WebhookCall | undefined): void {
  if (!tx.due.get(job.at, job.job_id)) return;
  tx.due.delete(job.at, job.job_id);
  if (!call) return;
  const { user_id, message_id } = call;
  tx.webhook_calls.delete(user_id, message_id);
  if (callsOf(tx, user_id, 1).length === 0) return;
  tx.enqueue(CALL_WEBHOOK, tx.now * 1000, { user_id } satisfies CallingJob);
}

/** Schedules another attempt. Returns whether the call was still pending. */
function postpone(
  tx: Writer,
  job: DueJob,
  { user_id, message_id, attempts }: WebhookCall,
): boolean {
  if (!tx.due.get(job.at, job.job_id)) return false;
  tx.due.delete(job.at, job.job_id);
  tx.webhook_calls.put({ user_id, message_id, attempts: attempts + 1 });
  const time = tx.now * 1000 + CALL_PAUSES_MS[attempts]!;
  tx.enqueue(CALL_WEBHOOK, time, { user_id } satisfies CallingJob);
  return true;
}

interface CallResult extends Pick<BotCall, "status" | "duration_ms"> {
  answer: CallOutcome;
}

async function callUrl(realm: Realm, message: CalledMessage): Promise<CallResult> {
  const question = webhookRequestOf(realm.read, message);
  if (!question) {
    const text = "This kind of webhook does not support direct messages";
    const failure = "it does not support direct messages";
    return {
      answer: { is: "failure", publicReason: text, ownerReason: failure },
      status: null,
      duration_ms: null,
    };
  }
  const startedAt = realm.clock.awake();
  const elapsedMs = () => Math.round(realm.clock.awake() - startedAt);
  const params = { ...question, method: "POST", types: null } as const;
  try {
    const bytes_max = CALL_ANSWER_BYTES_MAX;
    const { status, body } = await loggingClient(realm, clientOf(realm), message.bot.user_id).send({
      ...params,
      bytes_max,
    });
    return { answer: interpretResponse(message, status, body), status, duration_ms: elapsedMs() };
  } catch (error) {
    const response = { ...failureOf(error), publicReason: "Bot is unavailable" };
    return { answer: response, status: null, duration_ms: elapsedMs() };
  }
}

function failureOf(error: unknown): Omit<Failure, "publicReason"> {
  if (error instanceof OutboundTimedOut) {
    return { is: "put off", ownerReason: "there was no complete response in time" };
  }
  if (!(error instanceof OutboundRefused))
    return { is: "put off", ownerReason: "the connection failed" };
  return {
    is: "failure",
    ownerReason:
      "connections to its address are not allowed, or its response is too long or compressed",
  };
}

function replyOf(response: CallOutcome): string | undefined {
  if (response.is === "reply") return response.content;
  return response.is === "nothing" ? undefined : `Failure! ${response.publicReason}`;
}

/** A reply that cannot be posted is reported to the bot's owner. */
function composedReply(realm: Realm, bot: User, text: string): ComposedMessage | Refusal {
  return resultOrRefusal(() => compose(realm.read, bot, text));
}

function resultOrRefusal<T>(action: () => T): T | Refusal {
  try {
    return action();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Completes a call. Returns the reason of a failure, which is reported to the owner. */
function finishCall(
  tx: Writer,
  called: CalledMessage,
  response: CallOutcome,
  reply: ComposedMessage | Refusal | undefined,
): string | undefined {
  const { bot } = called;
  const widget = response.is === "reply" ? response.widget : undefined;
  const postReply = (composed: ComposedMessage) =>
    resultOrRefusal(() => {
      const options = { client: OWN_CLIENT, ...(widget && { widget }) };
      return sendMessage(tx, bot, destinationOf(tx, called), composed, options);
    });
  const details = reply === undefined || reply instanceof Refusal ? reply : postReply(reply);
  const reason = failureReason(response, details instanceof Refusal ? details : undefined);
  if (reason !== undefined) notifyOwner(tx, called, reason);
  return reason;
}

function failureReason(response: CallOutcome, refusal: Refusal | undefined): string | undefined {
  if (response.is !== "reply" && response.is !== "nothing") return response.ownerReason;
  return refusal && `its response was rejected: ${refusal.message}`;
}

function destinationOf(tx: Writer, { message }: CalledMessage): Recipient {
  const { stream_id, recipient_id } = message;
  if (stream_id === 0) return { user_ids: tx.conversations.get(recipient_id)!.user_ids };
  return { stream_id, topic: subjectOf(tx, message) };
}

/** Sends a message of the bot to its owner. Does nothing if the owner cannot be reached. */
function notifyOwner(tx: Writer, { bot, message }: CalledMessage, reason: string): void {
  if (bot.bot_owner_id === null) return;
  const url = urlOf(tx, message);
  const text = `[A message](${url}) called the webhook of ${silentMention(bot)}, and ${reason}.`;
  const recipient = { user_ids: [bot.bot_owner_id] };
  resultOrRefusal(() => sendMessage(tx, bot, recipient, text, { client: OWN_CLIENT }));
}
