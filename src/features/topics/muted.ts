// The topics that a user muted, with channel names, only for channels that the user can see.
import type { PlainEvent } from "../../contract/events.ts";
import { MUTED } from "../../contract/policies.ts";
import type { Reader } from "../../realm.ts";
import type { Seconds, User } from "../../schema/records.ts";
import { canSeeChannel } from "../channels/access.ts";
import { topicNameFor, type Options, shownTopics } from "./wire.ts";

export function mutedTopicsSnapshot(reader: Reader, user: User, { capabilities }: Options) {
  const displayName = topicNameFor(capabilities);
  const muted = mutedTopics(reader, user);
  return {
    muted_topics: muted.map(([channel, topic, time]) => [channel, displayName(topic), time]),
  };
}

/** The whole list, as an event for older clients. */
export const mutedTopicsChanged = (reader: Reader, user_id: number): PlainEvent => ({
  type: "muted_topics",
  muted_topics: mutedTopics(reader, reader.users.get(user_id)!),
});

function mutedTopics(reader: Reader, user: User): [string, string, Seconds][] {
  const muted: [string, string, Seconds][] = [];
  for (const row of shownTopics(reader, user.user_id)) {
    if (row.visibility_policy !== MUTED) continue;
    const channel = reader.channels.get(row.stream_id)!;
    if (!canSeeChannel(reader, user, channel)) continue;
    muted.push([channel.name, row.topic_name, row.last_updated]);
  }
  return muted;
}
