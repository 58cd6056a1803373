// Deletes the messages of one sender in several transactions.
import type { Realm, Writer } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { DueJob } from "../../../schema/records.ts";
import { COST, idsFrom, StoredSet } from "../sets/sets.ts";
import { removeMessages } from "./remove.ts";

export const DELETE_SENT = "delete sent messages";
/** They run in short steps, so that none waits for a long one. */
export const DELETIONS_AT_ONCE = 10;
const STEP_MESSAGES_MAX = 50;

/** Selects the conversations whose messages are deleted. */
export interface ConversationFilter {
  readonly in_public: boolean;
  readonly in_private: boolean;
  readonly direct: boolean;
}

interface SentDeletion extends ConversationFilter {
  readonly user_id: number;
  readonly by_id: number;
  /** Later messages are kept. */
  readonly last_id: number;
}

export function deleteSentLater(
  tx: Writer,
  user_id: number,
  by_id: number,
  where: ConversationFilter,
): void {
  const sentDeletion: SentDeletion = { ...where, user_id, by_id, last_id: tx.last("messages") };
  tx.enqueue(DELETE_SENT, tx.now * 1000, sentDeletion);
}

/** Idempotent: repeating a step deletes nothing further. */
export async function deleteSent(realm: Realm, { payload }: DueJob): Promise<void> {
  let from: number | undefined = 1;
  await realm.inSteps((tx) => {
    from = deleteStep(tx, payload as SentDeletion, from!);
    return from !== undefined;
  });
}

/** Returns the id to continue with, or undefined when done. */
function deleteStep(tx: Writer, sentDeletion: SentDeletion, from: number): number | undefined {
  const { user_id, by_id, last_id } = sentDeletion;
  const sentMessages = new StoredSet("sender", COST.person, tx.sender_messages, [user_id]);
  const ids = idsFrom(sentMessages, from, last_id, STEP_MESSAGES_MAX);
  const matching = ids
    .map((id) => tx.messages.get(id)!)
    .filter((message) => matches(tx, sentDeletion, message));
  const actingUser = tx.users.get(by_id)!;
  for (const messages of Map.groupBy(matching, conversationKey).values())
    removeMessages(tx, messages, actingUser);
  return ids.length === STEP_MESSAGES_MAX ? ids.at(-1)! + 1 : undefined;
}

function matches(tx: Writer, where: ConversationFilter, { stream_id }: Message): boolean {
  if (stream_id === 0) return where.direct;
  return tx.channels.get(stream_id)!.invite_only ? where.in_private : where.in_public;
}

const conversationKey = ({ stream_id, recipient_id }: Message) => `${stream_id} ${recipient_id}`;
