// A user's policy for a topic: muted, unmuted in a muted channel, or followed.
import Type from "typebox";
import {
  channelGivenTwice,
  channelNotFound,
  invalidValue,
  tooMany,
  topicNotMuted,
} from "../../contract/errors/channels.ts";
import { missingParameter } from "../../contract/errors/general.ts";
import { INHERITED, MUTED, VISIBILITY_POLICIES } from "../../contract/policies.ts";
import { nothing } from "../../contract/shapes/value-types.ts";
import { endpoint, int, json, oneOf, optional, text, textOf } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Channel, User, UserTopic } from "../../schema/records.ts";
import { accessChannel, canSeeChannel } from "../channels/access.ts";
import { foldedName } from "../channels/rules.ts";
import { TOPIC_LENGTH_MAX } from "../messages/rules.ts";
import { requestedTopic, topicName } from "../messages/topic.ts";
import { mutedTopicsChanged } from "./muted.ts";
import { TOPIC_POLICIES_MAX } from "./rules.ts";
import { topicPolicyChanged } from "./wire.ts";

/** Whether the user may store a policy for one more topic. */
export const canAddPolicy = (reader: Reader, { user_id }: Pick<User, "user_id">) =>
  reader.user_topics.countBy("user", user_id) < TOPIC_POLICIES_MAX;

/** Emits an event to the user if the policy changes; beyond the limit no new policy is stored. */
export function setTopicPolicy(
  tx: Writer,
  { user_id }: Pick<User, "user_id">,
  { stream_id }: Pick<Channel, "stream_id">,
  topic_name: string,
  visibility_policy: number,
): void {
  const folded = topic_name.toLowerCase();
  const before = tx.user_topics.get(user_id, stream_id, folded)?.visibility_policy ?? INHERITED;
  if (before === visibility_policy) return;
  if (before === INHERITED && !canAddPolicy(tx, { user_id })) return;

  const row = { stream_id, topic_name, visibility_policy, last_updated: tx.now };
  if (visibility_policy === INHERITED) tx.user_topics.delete(user_id, stream_id, folded);
  else tx.user_topics.put({ ...row, user_id, folded });
  tx.emit(mutedTopicsChanged(tx, user_id), { to: "people", user_ids: [user_id] });
  tx.emit(topicPolicyChanged(row), { to: "people", user_ids: [user_id] });
}

/**
 * Must be called when a channel is archived or unarchived: policies of its topics are kept, but
 * clients do not see them meanwhile.
 */
export function emitTopicPolicies(tx: Writer, { stream_id, is_archived }: Channel): void {
  for (const row of [...tx.user_topics.range()]) {
    if (row.stream_id !== stream_id) continue;
    const person = { to: "people", user_ids: [row.user_id] } as const;
    const visibility_policy = is_archived ? INHERITED : row.visibility_policy;
    tx.emit(mutedTopicsChanged(tx, row.user_id), person);
    tx.emit(topicPolicyChanged({ ...row, visibility_policy }), person);
  }
}

/** Must be called when a channel is renamed: the list for older clients contains its name. */
export function emitMutedOfChannel(tx: Writer, channel: Channel): void {
  const { stream_id, is_archived } = channel;
  if (is_archived) return;
  const people = new Set<number>();
  for (const row of tx.user_topics.range()) {
    if (row.stream_id === stream_id && row.visibility_policy === MUTED) people.add(row.user_id);
  }
  emitMutedTo(
    tx,
    [...people].filter((user_id) => canSeeChannel(tx, tx.users.get(user_id)!, channel)),
  );
}

/** Must be called when channels become visible or invisible to users. */
export function emitMutedOfVisible(
  tx: Writer,
  user_ids: readonly number[],
  stream_ids: readonly number[],
): void {
  // The list has no topics of archived channels.
  const open = stream_ids.filter((id) => tx.channels.get(id)?.is_archived === false);
  const isInChannels = (row: UserTopic) =>
    row.visibility_policy === MUTED && open.includes(row.stream_id);
  emitMutedTo(
    tx,
    user_ids.filter((user_id) => tx.user_topics.listBy("user", user_id).some(isInChannels)),
  );
}

function emitMutedTo(tx: Writer, user_ids: readonly number[]): void {
  for (const user_id of user_ids) {
    tx.emit(mutedTopicsChanged(tx, user_id), { to: "people", user_ids: [user_id] });
  }
}

/**
 * Returns a channel whose topics can be muted and followed, if the user may store one more policy.
 */
function accessUnarchived(tx: Writer, user: User, stream_id: number, topic_name: string): Channel {
  const channel = accessChannel(tx, user, stream_id);
  if (channel.is_archived) throw channelNotFound();
  const isNew = !tx.user_topics.has(user.user_id, stream_id, topic_name.toLowerCase());
  if (isNew && !canAddPolicy(tx, user)) throw tooMany("topic policies", TOPIC_POLICIES_MAX);
  return channel;
}

const topic = textOf({ max: TOPIC_LENGTH_MAX, trimmed: true });

export const postUserTopic = endpoint({
  summary: "Mute, unmute or follow a topic",
  tag: "Topics",
  params: { stream_id: json(Type.Integer()), topic, visibility_policy: json(Type.Integer()) },
  answer: nothing,
  run: async ({ realm, user }, { stream_id, topic: value, visibility_policy }) => {
    if (!VISIBILITY_POLICIES.includes(visibility_policy)) throw invalidValue("visibility_policy");
    const topicText = topicName(value);
    await realm.write((tx) => {
      const name = requestedTopic(tx, stream_id, value)?.name ?? topicText;
      // Users who lost access to a channel can still reset their policies in it.
      if (visibility_policy !== INHERITED) accessUnarchived(tx, user, stream_id, name);
      setTopicPolicy(tx, user, { stream_id }, name, visibility_policy);
    });
    return {};
  },
});

export const patchMutedTopics = endpoint({
  summary: "Mute or unmute a topic, in the old format",
  tag: "Topics",
  params: {
    stream_id: optional(int),
    stream: optional(text),
    topic,
    op: oneOf("add", "remove"),
  },
  answer: nothing,
  run: async ({ realm, user }, { stream_id, stream, topic: value, op }) => {
    const topicText = topicName(value);
    await realm.write((tx) => {
      const from = requestedChannel(tx, stream_id, stream) ?? 0;
      const name = requestedTopic(tx, from, value)?.name ?? topicText;
      if (op === "add") {
        const channel = accessUnarchived(tx, user, from, name);
        return setTopicPolicy(tx, user, channel, name, MUTED);
      }
      const channel = tx.channels.get(from);
      const isKnown = tx.user_topics.has(user.user_id, from, name.toLowerCase());
      const isSeen = channel !== undefined && canSeeChannel(tx, user, channel);
      if (!isKnown && !isSeen) throw topicNotMuted();
      return setTopicPolicy(tx, user, { stream_id: from }, name, INHERITED);
    });
    return {};
  },
});

/** The channel is given either by id or by name. */
function requestedChannel(reader: Reader, stream_id?: number, stream?: string): number | undefined {
  if (stream_id !== undefined && stream !== undefined) throw channelGivenTwice();
  if (stream === undefined && stream_id === undefined) throw missingParameter("stream_id");
  return stream_id ?? reader.channels.findBy("name", foldedName(stream!))?.stream_id;
}
