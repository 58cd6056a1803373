// Applies new content to a message: the record, and the flags of mentioned users.
import type { Reader, Writer } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { User } from "../../../schema/records.ts";
import type { Rendered } from "../../../text/markdown/render.ts";
import { recomputeAlertFlags } from "../../alert-words/alerts.ts";
import { reindexMessage } from "../../search/index.ts";
import { hasReceived, receivedAtSend } from "../access.ts";
import { storeForUser } from "../flags/flags.ts";
import { markMentions } from "../mentions.ts";
import {
  FLAG_FROZEN_MENTION,
  FLAG_FROZEN_NO_MENTION,
  FLAG_HAS_ALERT_WORD,
  FLAG_MENTIONED,
  FLAG_MENTIONED_LATER,
  FLAG_EDITED_LATER,
  FLAG_TOPIC_WILDCARD,
  STREAM_WILDCARD,
  TOPIC_WILDCARD,
} from "../rules.ts";
import { bitsOf, RENDERED_BITS } from "../send/new-message.ts";
import { historicalReaders } from "../sets/audience.ts";
import { hasCommonFlags } from "../unread/personal-flags.ts";
import { plainParagraph, storedHtml } from "../wire.ts";

/** Returns the message with new content. The caller adds the old content to `edit_history`. */
export function withContent(
  reader: Reader,
  author: User,
  message: Message,
  content: string,
  rendered: Rendered,
): Message {
  const { html, mentioned_user_ids, mentioned_group_ids } = rendered;
  return {
    ...message,
    content,
    rendered_content: html === plainParagraph(content) ? null : html,
    bits: (message.bits & ~RENDERED_BITS) | bitsOf(reader, author, content, rendered),
    mentioned_user_ids: mentioned_user_ids.length > 0 ? mentioned_user_ids : null,
    mentioned_group_ids: mentioned_group_ids.length > 0 ? mentioned_group_ids : null,
  };
}

/** The part of the edit history entry about content. */
export function contentBefore(message: Message) {
  return { prev_content: message.content, prev_rendered_content: storedHtml(message) };
}

/** Updates mention flags for users who have the message. */
export function updateMentionFlags(tx: Writer, before: Message, after: Message): void {
  reindexMessage(tx, before, after);
  const accessByUser = new Map<number, boolean>();
  const receives = (user: User) => {
    if (!accessByUser.has(user.user_id))
      accessByUser.set(user.user_id, hasReceived(tx, user, before));
    return accessByUser.get(user.user_id)!;
  };
  const mentionedBefore = before.mentioned_user_ids ?? [];
  const received = mentionedBefore.filter((user_id) => receivedAtSend(tx, user_id, before));
  for (const user_id of [...mentionedBefore, ...(after.mentioned_user_ids ?? [])]) {
    const user = tx.users.get(user_id);
    if (user) receives(user);
  }
  removeMentionFlags(tx, before);
  markMentions(tx, after, receives);
  recomputeAlertFlags(tx, after, before.content, receives);
  for (const user_id of historicalReaders(tx, after.id)) {
    const isAlerted = tx.flags.has([user_id, FLAG_HAS_ALERT_WORD], after.id);
    if (isAlerted || !hasCommonFlags(after)) tx.flags.add([user_id, FLAG_EDITED_LATER], after.id);
  }
  // A bot that received the message only through a mention keeps it.
  for (const user_id of received) {
    if (!receivedAtSend(tx, user_id, after)) storeForUser(tx, user_id, after.id);
  }
}

function removeMentionFlags(
  tx: Writer,
  { id, bits, mentioned_user_ids, mentioned_group_ids }: Message,
): void {
  if (bits & STREAM_WILDCARD) tx.wildcards.remove([0], id);
  for (const group_id of mentioned_group_ids ?? []) tx.group_mentions.remove([group_id], id);
  for (const user_id of mentioned_user_ids ?? []) {
    tx.flags.remove([user_id, FLAG_MENTIONED], id);
    tx.flags.remove([user_id, FLAG_MENTIONED_LATER], id);
  }
  const flags: number[] = [];
  // Topic mentions refer to the participants of the original topic, even if the message was moved.
  if (bits & TOPIC_WILDCARD) flags.push(FLAG_TOPIC_WILDCARD);
  // Group mentions are reevaluated with the current members.
  if (mentioned_group_ids !== null) flags.push(FLAG_FROZEN_MENTION, FLAG_FROZEN_NO_MENTION);
  if (flags.length === 0) return;
  for (const { user_id } of tx.users.range()) {
    for (const flag of flags) tx.flags.remove([user_id, flag], id);
  }
}

/** New content of the message in the request. */
export interface ContentChange {
  before: Message;
  after: Message;
}
