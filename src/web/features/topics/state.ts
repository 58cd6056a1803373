/** Known topics by channel, and the user's policies for them. */
import { FOLLOWED, INHERITED, MUTED, UNMUTED } from "../../../contract/policies.ts";
import { foldTopic, topicKey } from "../../conversation-keys.ts";
import type { Changed, Event, Snapshot } from "../../contract/snapshot.ts";
import type { Channels } from "../channels/state.ts";
import type { Message } from "../../contract/message.ts";

export const VISIBILITY = {
  default: INHERITED,
  muted: MUTED,
  unmuted: UNMUTED,
  followed: FOLLOWED,
} as const;

type TopicPolicy = NonNullable<Snapshot["user_topics"]>[number];

export interface KnownTopic {
  /** In the spelling of its newest message. */
  name: string;
  max_id: number;
}

type MessagesById = ReadonlyMap<number, Message>;

export interface Topics {
  /** The user's policies, by channel and folded name. */
  policies: Map<string, TopicPolicy>;
  /** Known topics, by channel and folded name. */
  byChannel: Map<number, Map<string, KnownTopic>>;
  /** Channels whose topics were all loaded, so that `known` is complete. */
  completeChannels: Set<number>;
  /** Channels whose list of topics is outdated and must be requested. */
  unverified: Set<number>;
  /** The legacy list of muted topics, which clients with `user_topic` events do not receive. */
  muted_topics: Snapshot["muted_topics"];
}

export const TOPIC_FIELDS = ["user_topics", "muted_topics"] as const;

/** Changes when messages leave a topic, since its last senders become unknown. */
export const LEFT = "topics-left";

export function hydrateTopics(snapshot: Snapshot): Topics {
  const rows = snapshot.user_topics ?? [];
  return {
    policies: new Map(rows.map((row) => [topicKey(row.stream_id, row.topic_name), row])),
    byChannel: new Map(),
    completeChannels: new Set(),
    unverified: new Set(),
    muted_topics: snapshot.muted_topics,
  };
}

export function dehydrateTopics({ policies, muted_topics }: Topics): Partial<Snapshot> {
  return { user_topics: [...policies.values()], muted_topics };
}

/** `seen`: the messages after the event. */
export function reduceTopics(
  topics: Topics,
  event: Event,
  messagesById: MessagesById,
  changed: Changed,
): void {
  switch (event.type) {
    case "user_topic":
      reducePolicy(topics, event, changed);
      return;
    case "muted_topics":
      topics.muted_topics = event.muted_topics;
      return;
    case "message": {
      const { message } = event;
      if (message.type !== "stream") return;
      const { stream_id, subject, id } = message;
      recordTopic(topics, stream_id, { name: subject, max_id: id }, changed);
      return;
    }
    case "update_message":
      reduceMove(topics, event, messagesById, changed);
      return;
    case "delete_message": {
      if (event.message_type !== "stream") return;
      const ids = event.message_ids ?? [event.message_id];
      removeFromTopic(topics, { ...event, ids, seen: messagesById }, changed);
      return;
    }
    case "subscription":
      if (event.op === "add") markUnverified(topics, event.subscriptions);
      return;
    case "stream":
      if (event.op !== "delete") return;
      for (const id of event.stream_ids) {
        topics.byChannel.delete(id);
        topics.completeChannels.delete(id);
        changed.add(`topics:${id}`);
      }
  }
}

/** Events in a channel before the user could see it are missing. */
function markUnverified(
  { completeChannels, unverified }: Topics,
  joined: readonly { stream_id: number }[],
): void {
  for (const { stream_id } of joined)
    if (completeChannels.has(stream_id)) unverified.add(stream_id);
}

function reducePolicy({ policies }: Topics, event: Event<"user_topic">, changed: Changed): void {
  const { stream_id, topic_name, last_updated, visibility_policy } = event;
  const key = topicKey(stream_id, topic_name);
  if (visibility_policy === VISIBILITY.default) policies.delete(key);
  else policies.set(key, { stream_id, topic_name, last_updated, visibility_policy });
  changed.add("user_topic").add(`topic:${key}`).add(`topics:${stream_id}`);
}

/** Adds a topic from a message or list, and keeps the newest spelling. */
export function recordTopic(
  { byChannel }: Topics,
  stream_id: number,
  topic: KnownTopic,
  changed: Changed,
): void {
  let list = byChannel.get(stream_id);
  if (!list) byChannel.set(stream_id, (list = new Map()));
  const key = foldTopic(topic.name);
  const before = list.get(key);
  if (before && before.max_id >= topic.max_id) return;
  list.set(key, { ...topic });
  changed.add(`topics:${stream_id}`);
}

/** Applies the response with all topics of a channel. */
export function addTopics(
  topics: Topics,
  stream_id: number,
  list: readonly KnownTopic[],
  changed: Changed,
): void {
  topics.byChannel.set(
    stream_id,
    new Map(list.map((topic) => [foldTopic(topic.name), { ...topic }])),
  );
  topics.completeChannels.add(stream_id);
  topics.unverified.delete(stream_id);
  changed.add(`topics:${stream_id}`);
}

interface RemovedMessages {
  stream_id: number;
  topic: string;
  ids: readonly number[];
  /** The messages in their current state. */
  seen: MessagesById;
  isAll?: boolean;
}

/** The newest remaining message may be unknown, so the list is requested again. */
function removeFromTopic(
  topics: Topics,
  removed: RemovedMessages,
  changed: Changed,
): KnownTopic | undefined {
  const { stream_id, topic, ids, seen, isAll } = removed;
  const key = foldTopic(topic);
  const list = topics.byChannel.get(stream_id);
  const topicRow = list?.get(key);
  changed.add(LEFT);
  if (!list || !topicRow || !ids.includes(topicRow.max_id)) return topicRow;
  list.delete(key);
  changed.add(`topics:${stream_id}`);
  if (isAll) return topicRow;
  topics.unverified.add(stream_id);
  const isInTopic = (message: Message) =>
    message.stream_id === stream_id && foldTopic(message.subject) === key;
  for (const message of seen.values())
    if (isInTopic(message))
      recordTopic(topics, stream_id, { name: message.subject, max_id: message.id }, changed);
  return topicRow;
}

function reduceMove(
  topics: Topics,
  event: Event<"update_message">,
  messagesById: MessagesById,
  changed: Changed,
): void {
  const { stream_id, orig_subject, subject, new_stream_id, message_ids } = event;
  if (stream_id === undefined || orig_subject === undefined) return;
  const isAll = event.propagate_mode === "change_all";
  const removed = { stream_id, topic: orig_subject, ids: message_ids, seen: messagesById, isAll };
  const remaining = removeFromTopic(topics, removed, changed);
  const to = new_stream_id ?? stream_id;
  const newest = Math.max(...message_ids);
  const name = subject ?? remaining?.name ?? orig_subject;
  recordTopic(topics, to, { name, max_id: newest }, changed);
}

export function policyOf({ policies }: Topics, stream_id: number, topic: string): number {
  return policies.get(topicKey(stream_id, topic))?.visibility_policy ?? VISIBILITY.default;
}

/** Whether the user has muted the topic. */
export function isTopicMuted(
  topics: Topics,
  channels: Channels,
  stream_id: number,
  topic: string,
): boolean {
  const policy = policyOf(topics, stream_id, topic);
  if (policy === VISIBILITY.muted) return true;
  return policy === VISIBILITY.default && isChannelMuted(channels, stream_id);
}

export function isChannelMuted({ channels }: Channels, stream_id: number): boolean {
  const channel = channels.get(stream_id);
  return channel?.membership === "subscribed" && channel.row.is_muted === true;
}
