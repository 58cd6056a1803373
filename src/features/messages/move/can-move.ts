// Permissions for moving messages: to another topic or channel, and how old they may be.
import {
  channelEditTooLate,
  editNotAllowed,
  moveLimitExceeded,
  moveNotAllowed,
  postingNotAllowed,
  resolvingNotAllowed,
  topicCreationNotAllowed,
  topicEditTooLate,
} from "../../../contract/errors/messages.ts";
import type { Reader } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { Channel, Topic, User } from "../../../schema/records.ts";
import { isModerator } from "../../rights/rules.ts";
import { isOlder, canResolve, whyNotMove, whyNotMoveToTopic } from "../permission-rules.ts";
import { actorOf } from "../send/actor.ts";
import { hasPermissionWithOwner } from "../send/can-send.ts";
import { idsIn } from "../sets/topic-slice.ts";
import type { TopicSlice } from "../sets/topic-slice.ts";

export interface Destination {
  from: Channel;
  to: Channel;
  /** The existing topic of that name, if it has messages. */
  topic: Topic | undefined;
  topicChanges: boolean;
  /** Whether the move only resolves or unresolves the topic. */
  isResolve: boolean;
}

const TOPIC_REFUSALS = { "not-allowed": editNotAllowed, late: topicEditTooLate };

export function checkCanChangeTopic(
  reader: Reader,
  user: User,
  message: Message,
  { from, to, isResolve }: Destination,
): void {
  const channels = from === to ? [from] : [from, to];
  const actor = actorOf(reader, user);
  if (isResolve) {
    if (!canResolve(actor, channels)) throw resolvingNotAllowed();
    return;
  }
  const refusal = whyNotMoveToTopic(actor, message, channels);
  if (refusal) throw TOPIC_REFUSALS[refusal]();
}

const CHANNEL_REFUSALS = {
  "not-allowed": moveNotAllowed,
  "no-posting": postingNotAllowed,
  late: channelEditTooLate,
};

export function checkCanChangeChannel(
  reader: Reader,
  user: User,
  message: Message,
  { from, to }: Destination,
): void {
  const refusal = whyNotMove(actorOf(reader, user), message, from, to);
  if (refusal) throw CHANNEL_REFUSALS[refusal]();
}

/** For a whole topic, the oldest message decides. */
export function checkCanMoveTopic(
  reader: Reader,
  user: User,
  { from, to, topic, topicChanges, isResolve }: Destination,
  topicSlice: (() => TopicSlice) | undefined,
): void {
  if (isResolve) return;
  if (topicSlice && !isModerator(user)) {
    const { settings } = reader;
    const limits: (number | null)[] = [];
    if (topicChanges) limits.push(settings.move_messages_within_stream_limit_seconds);
    if (from !== to) limits.push(settings.move_messages_between_streams_limit_seconds);
    const limit = Math.min(...limits.map((limit) => limit ?? Infinity));
    if (limit < Infinity) checkTimeLimit(reader, topicSlice(), limit);
  }
  if (!topic && !hasPermissionWithOwner(reader, user, to, "can_create_topic_group")) {
    throw topicCreationNotAllowed();
  }
}

/** Ids follow time, so the messages within the limit are the last ones. */
function checkTimeLimit(reader: Reader, topicSlice: TopicSlice, limit: number): void {
  const isOld = (id: number) => isOlder(reader.now, reader.messages.get(id)!.timestamp, limit);
  const ids = idsIn(topicSlice);
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isOld(ids[middle]!)) low = middle + 1;
    else high = middle;
  }
  if (low > 0) throw moveLimitExceeded(ids[low] ?? null, ids.length - low, ids.length);
}
