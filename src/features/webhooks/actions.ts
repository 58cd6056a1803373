// Enqueues calls of outgoing webhooks for messages that mention them or are sent to them.
import type { Reader, Writer } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { WebhookCall } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { isBot } from "../rights/rules.ts";
import { calledMessage } from "./access.ts";
import { CALLS_WAITING_MAX } from "./rules.ts";

export const CALL_WEBHOOK = "call webhook";

/** The oldest waiting call of a bot, which the job makes. */
export type CallingJob = Pick<WebhookCall, "user_id">;

/** `user_ids`: the mentioned users or the recipients. Messages of bots call no webhooks. */
export function callWebhooks(
  tx: Writer,
  sender: User,
  message: Message,
  user_ids: readonly number[],
): void {
  if (isBot(sender)) return;
  for (const user_id of user_ids) {
    if (calledMessage(tx, message, user_id)) enqueueCall(tx, user_id, message.id);
  }
}

/** A single job processes the calls of a bot in order. It exists while any call waits. */
function enqueueCall(tx: Writer, user_id: number, message_id: number): void {
  const waitingCount = callsOf(tx, user_id, CALLS_WAITING_MAX).length;
  if (waitingCount === CALLS_WAITING_MAX) return;
  tx.webhook_calls.put({ user_id, message_id, attempts: 0 });
  if (waitingCount === 0) tx.enqueue(CALL_WEBHOOK, tx.now * 1000, { user_id } satisfies CallingJob);
}

/** Oldest first. */
export function callsOf(reader: Reader, user_id: number, limit: number): WebhookCall[] {
  return [...reader.webhook_calls.range({ from: [user_id], to: [user_id + 1], limit })];
}
