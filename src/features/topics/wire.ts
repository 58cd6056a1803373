// What clients see of the topics that a person muted, unmuted or follows.
import { CAN_EMPTY_TOPIC, type PlainEvent } from "../../events.ts";
import type { Reader } from "../../realm.ts";
import type { Seconds, User, UserTopic } from "../../records.ts";
import { EMPTY_TOPIC_NAME } from "../messages/rules.ts";
import { MUTED } from "./rules.ts";

interface Options {
  /** Bits of events.ts. */
  capabilities: number;
}

/** `user_topic`: all but those of archived channels. */
export function userTopicsSnapshot(reader: Reader, user: User, { capabilities }: Options) {
  const shown = nameShown(capabilities);
  return {
    user_topics: shownTopics(reader, user.user_id).map((row) => ({
      stream_id: row.stream_id,
      topic_name: shown(row.topic_name),
      last_updated: row.last_updated,
      visibility_policy: row.visibility_policy,
    })),
  };
}

export function mutedTopicsSnapshot(reader: Reader, user: User, { capabilities }: Options) {
  const shown = nameShown(capabilities);
  const muted = mutedTopics(reader, user.user_id);
  return { muted_topics: muted.map(([channel, topic, at]) => [channel, shown(topic), at]) };
}

/** The whole list, as an event for older clients. */
export const mutedTopicsChanged = (reader: Reader, user_id: number): PlainEvent => ({
  type: "muted_topics",
  muted_topics: mutedTopics(reader, user_id),
});

export const topicPolicyChanged = (row: Omit<UserTopic, "user_id" | "folded">): PlainEvent => ({
  type: "user_topic",
  stream_id: row.stream_id,
  topic_name: row.topic_name,
  last_updated: row.last_updated,
  visibility_policy: row.visibility_policy,
});

function mutedTopics(reader: Reader, user_id: number): [string, string, Seconds][] {
  const muted = shownTopics(reader, user_id).filter((row) => row.visibility_policy === MUTED);
  return muted.map((row) => {
    return [reader.channels.get(row.stream_id)!.name, row.topic_name, row.last_updated];
  });
}

/** In a lasting order: by channel, then by name. */
function shownTopics(reader: Reader, user_id: number): UserTopic[] {
  const rows = reader.user_topics.by("user", user_id);
  const shown = rows.filter((row) => reader.channels.get(row.stream_id)?.is_archived === false);
  return shown.sort((a, b) => a.stream_id - b.stream_id || (a.folded < b.folded ? -1 : 1));
}

function nameShown(capabilities: number): (topic: string) => string {
  if (capabilities & CAN_EMPTY_TOPIC) return (topic) => topic;
  return (topic) => topic || EMPTY_TOPIC_NAME;
}
