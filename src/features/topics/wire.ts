// A user's topic policies for clients.
import { CAN_EMPTY_TOPIC, type PlainEvent } from "../../contract/events.ts";
import type { Reader } from "../../realm.ts";
import type { User, UserTopic } from "../../schema/records.ts";
import { EMPTY_TOPIC_NAME } from "../messages/rules.ts";

export interface Options {
  /** Bits of events.ts. */
  capabilities: number;
}

/** `user_topic`: all policies except those in archived channels. */
export function userTopicsSnapshot(reader: Reader, user: User, { capabilities }: Options) {
  const displayName = topicNameFor(capabilities);
  return {
    user_topics: shownTopics(reader, user.user_id).map((row) => ({
      stream_id: row.stream_id,
      topic_name: displayName(row.topic_name),
      last_updated: row.last_updated,
      visibility_policy: row.visibility_policy,
    })),
  };
}

export const topicPolicyChanged = (row: Omit<UserTopic, "user_id" | "folded">): PlainEvent => ({
  type: "user_topic",
  stream_id: row.stream_id,
  topic_name: row.topic_name,
  last_updated: row.last_updated,
  visibility_policy: row.visibility_policy,
});

/** Returns the topics in a stable order: by channel, then by name. */
export function shownTopics(reader: Reader, user_id: number): UserTopic[] {
  const rows = reader.user_topics.listBy("user", user_id);
  const visibleRows = rows.filter(
    (row) => reader.channels.get(row.stream_id)?.is_archived === false,
  );
  return visibleRows.sort((a, b) => a.stream_id - b.stream_id || (a.folded < b.folded ? -1 : 1));
}

export function topicNameFor(capabilities: number): (topic: string) => string {
  if (capabilities & CAN_EMPTY_TOPIC) return (topic) => topic;
  return (topic) => topic || EMPTY_TOPIC_NAME;
}
