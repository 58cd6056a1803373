/** Unread messages by place, with counts that are updated incrementally. */
import type { Changed, Event, Snapshot } from "../../contract/snapshot.ts";
import type { ConversationRef } from "../../views.ts";
import { isSubscribed } from "../channels/state.ts";
import { peopleOf } from "../../conversation-keys.ts";
import { topicKey } from "../../conversation-keys.ts";
import {
  addUnread,
  countConversation,
  updateMutedConversations,
  emptyCount,
  removeUnread,
  type UnreadContext,
  markConversationChanged,
  type Unread,
} from "./by-conversation-state.ts";

export const UNREAD_FIELDS = ["unread_msgs"] as const;

type UnreadMessages = NonNullable<Snapshot["unread_msgs"]>;
type Mutable<L extends readonly unknown[]> = L[number][];

export function hydrateUnread(snapshot: Snapshot, context: UnreadContext): Unread {
  const unreads = snapshot.unread_msgs;
  const { streams = [], pms = [], huddles = [], mentions = [] } = unreads ?? {};
  const unread: Unread = {
    conversations: new Map(),
    byMessage: new Map(),
    mentions: new Set(mentions),
    channels: new Map(),
    directs: emptyCount(),
    all: emptyCount(),
    isCut: unreads?.old_unreads_missing ?? false,
  };
  const changed: Changed = new Set();
  for (const { stream_id, topic, unread_message_ids } of streams) {
    addUnread(unread, { stream_id, topic }, unread_message_ids, context, changed);
  }
  for (const { other_user_id, unread_message_ids } of pms) {
    const user_ids = peopleOf([other_user_id], context.me);
    addUnread(unread, { user_ids }, unread_message_ids, context, changed);
  }
  for (const { user_ids_string, unread_message_ids } of huddles) {
    const user_ids = peopleOf(user_ids_string.split(",").map(Number), context.me);
    addUnread(unread, { user_ids }, unread_message_ids, context, changed);
  }
  return unread;
}

export function dehydrateUnread(unread: Unread, me: number): Partial<Snapshot> {
  const streams: Mutable<UnreadMessages["streams"]> = [];
  const pms: Mutable<UnreadMessages["pms"]> = [];
  const huddles: Mutable<UnreadMessages["huddles"]> = [];
  for (const { stream_id, topic, user_ids, ids } of unread.conversations.values()) {
    const unread_message_ids = [...ids];
    if (stream_id !== null) streams.push({ stream_id, topic, unread_message_ids });
    else if (user_ids.length > 1) {
      const everyone = [...user_ids, me].sort((a, b) => a - b);
      huddles.push({ user_ids_string: everyone.join(","), unread_message_ids });
    } else {
      const [other_user_id = me] = user_ids;
      pms.push({ other_user_id, sender_id: other_user_id, unread_message_ids });
    }
  }
  const mentions = [...unread.mentions].sort((a, b) => a - b);
  const count = unread.all.shown;
  const old_unreads_missing = unread.isCut;
  return { unread_msgs: { count, streams, pms, huddles, mentions, old_unreads_missing } };
}

/** Must run after the reducers of channels, topics and policies, on which the counts depend. */
export function reduceUnread(
  unread: Unread,
  event: Event,
  context: UnreadContext,
  changed: Changed,
): void {
  switch (event.type) {
    case "message":
      addReceived(unread, event, context, changed);
      return;
    case "update_message":
      if ("content" in event) updateMentions(unread, event, changed);
      applyMove(unread, event, context, changed);
      return;
    case "update_message_flags":
      if (event.flag === "read") flagged(unread, event, context, changed);
      return;
    case "delete_message":
      removeUnread(unread, event.message_ids ?? [event.message_id], changed);
      return;
    case "user_topic": {
      const conversation = unread.conversations.get(topicKey(event.stream_id, event.topic_name));
      if (conversation) updateMutedConversations(unread, [conversation], context, changed);
      return;
    }
    case "subscription":
      subscribed(unread, event, context, changed);
  }
}

function addReceived(
  unread: Unread,
  event: Event<"message">,
  context: UnreadContext,
  changed: Changed,
): void {
  const { message, flags } = event;
  if (flags.includes("read")) return;
  // Messages are unread only in subscribed channels. Mentioned bots do not matter here.
  if (message.type === "stream" && !isSubscribed(context.channels, message.stream_id)) return;
  if (isMention(flags)) unread.mentions.add(message.id);
  addUnread(unread, unreadLocationOf(message, context.me), [message.id], context, changed);
}

const isMention = (flags: readonly string[]) => flags.some((flag) => flag.endsWith("mentioned"));

function unreadLocationOf(message: Event<"message">["message"], me: number): ConversationRef {
  if (message.type === "stream") return { stream_id: message.stream_id, topic: message.subject };
  const ids = message.display_recipient.map(({ id }) => id);
  return { user_ids: peopleOf(ids, me) };
}

/** An edit may add mentions of users. */
function updateMentions(unread: Unread, event: Event<"update_message">, changed: Changed): void {
  const id = event.message_id;
  const isCalled = isMention(event.flags) && !event.flags.includes("read");
  const conversation = unread.byMessage.get(id);
  if (isCalled === unread.mentions.has(id)) return;
  if (conversation) countConversation(unread, conversation, -1);
  if (isCalled) unread.mentions.add(id);
  else unread.mentions.delete(id);
  if (!conversation) return;
  conversation.mentions += isCalled ? 1 : -1;
  countConversation(unread, conversation, 1);
  markConversationChanged(conversation, changed);
}

function applyMove(
  unread: Unread,
  event: Event<"update_message">,
  context: UnreadContext,
  changed: Changed,
): void {
  const { stream_id, new_stream_id, orig_subject, subject, message_ids } = event;
  if (stream_id === undefined || orig_subject === undefined) return;
  if (subject === undefined && new_stream_id === undefined) return;
  const ids = message_ids.filter((id) => unread.byMessage.has(id));
  // Each message keeps its spelling of the topic; the conversation uses that of the newest message.
  const before = ids.length > 0 ? unread.byMessage.get(Math.max(...ids))?.topic : undefined;
  const to = { stream_id: new_stream_id ?? stream_id, topic: subject ?? before ?? orig_subject };
  const mentionedIds = ids.filter((id) => unread.mentions.has(id));
  removeUnread(unread, ids, changed);
  // In channels to which the user is not subscribed, messages count as read.
  if (!isSubscribed(context.channels, to.stream_id)) return;
  for (const id of mentionedIds) unread.mentions.add(id);
  addUnread(unread, to, ids, context, changed);
  const conversation = unread.conversations.get(topicKey(to.stream_id, to.topic));
  if (conversation && ids.includes(Math.max(...conversation.ids))) conversation.topic = to.topic;
}

function flagged(
  unread: Unread,
  event: Event<"update_message_flags">,
  context: UnreadContext,
  changed: Changed,
): void {
  if (event.op === "remove") {
    for (const [id, detail] of Object.entries(event.message_details ?? {})) {
      if (detail.mentioned === true) unread.mentions.add(Number(id));
      const location: ConversationRef =
        detail.type === "stream"
          ? { stream_id: detail.stream_id, topic: detail.topic }
          : { user_ids: peopleOf(detail.user_ids, context.me) };
      addUnread(unread, location, [Number(id)], context, changed);
    }
  } else if (event.all) {
    unread.isCut = false;
    removeUnread(unread, [...unread.byMessage.keys()], changed);
    unread.mentions.clear();
  } else removeUnread(unread, event.messages, changed);
}

function subscribed(
  unread: Unread,
  event: Event<"subscription">,
  context: UnreadContext,
  changed: Changed,
): void {
  const { op, property, stream_id, subscriptions = [] } = event;
  if (op === "remove")
    for (const subscription of subscriptions)
      removeChannelUnread(unread, subscription.stream_id, changed);
  const isMuting = op === "update" && (property === "is_muted" || property === "in_home_view");
  const ids = isMuting ? [stream_id] : op === "add" ? subscriptions.map(streamIdOf) : [];
  for (const id of ids)
    updateMutedConversations(
      unread,
      unread.channels.get(id)?.conversations ?? [],
      context,
      changed,
    );
}

const streamIdOf = ({ stream_id }: { stream_id: number }) => stream_id;

function removeChannelUnread(unread: Unread, stream_id: number, changed: Changed): void {
  const conversations = [...(unread.channels.get(stream_id)?.conversations ?? [])];
  removeUnread(
    unread,
    conversations.flatMap(({ ids }) => ids),
    changed,
  );
}
