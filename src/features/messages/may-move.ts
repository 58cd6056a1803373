// Who may move messages where: to another topic, to another channel, and how far back.
import {
  channelEditTooLate,
  editNotAllowed,
  moveLimitExceeded,
  moveNotAllowed,
  postingNotAllowed,
  resolvingNotAllowed,
  topicCreationNotAllowed,
  topicEditTooLate,
} from "../../errors-messages.ts";
import type { Reader } from "../../realm.ts";
import type { Message } from "../../records-messages.ts";
import type { Channel, Topic, User } from "../../records.ts";
import { mayAdminister } from "../channels/access.ts";
import { may, mayInChannel } from "../groups/access.ts";
import { isModerator } from "../users/rules.ts";
import { isOlder } from "./may-edit.ts";
import { mayWithOwner } from "./may-send.ts";
import { idsIn } from "./selection.ts";
import type { Selection } from "./selection.ts";

export interface Destination {
  from: Channel;
  to: Channel;
  /** The topic of that name there, if it has messages. */
  topic: Topic | undefined;
  topicChanges: boolean;
  /** Resolving the topic, or taking that back. */
  isToggle: boolean;
}

export function checkMayChangeTopic(
  reader: Reader,
  user: User,
  message: Message,
  { from, to, isToggle }: Destination,
): void {
  const channels = from === to ? [from] : [from, to];
  if (isToggle) {
    const mayResolve =
      may(reader, user, "can_resolve_topics_group") ||
      channels.some((one) => mayInChannel(reader, user, one, "can_resolve_topics_group"));
    if (!mayResolve) throw resolvingNotAllowed();
    return;
  }
  const mayHere = (channel: Channel) =>
    mayAdminister(reader, user, channel) ||
    mayInChannel(reader, user, channel, "can_move_messages_within_channel_group");
  if (!may(reader, user, "can_move_messages_between_topics_group") && !channels.some(mayHere)) {
    throw editNotAllowed();
  }
  const limit = reader.settings.move_messages_within_stream_limit_seconds;
  if (!isModerator(user) && isOlder(reader, message.timestamp, limit)) throw topicEditTooLate();
}

export function checkMayChangeChannel(
  reader: Reader,
  user: User,
  message: Message,
  { from, to }: Destination,
): void {
  const mayTake =
    may(reader, user, "can_move_messages_between_channels_group") ||
    mayAdminister(reader, user, from) ||
    mayInChannel(reader, user, from, "can_move_messages_out_of_channel_group");
  if (!mayTake) throw moveNotAllowed();
  if (!mayWithOwner(reader, user, to, "can_send_message_group")) throw postingNotAllowed();
  const limit = reader.settings.move_messages_between_streams_limit_seconds;
  if (!isModerator(user) && isOlder(reader, message.timestamp, limit)) throw channelEditTooLate();
}

/** Of a whole topic, the oldest message counts; of one topic more, that there is one more. */
export function checkMayMoveAll(
  reader: Reader,
  user: User,
  { from, to, topic, topicChanges, isToggle }: Destination,
  whole: (() => Selection) | undefined,
): void {
  if (isToggle) return;
  if (whole && !isModerator(user)) {
    const { settings } = reader;
    const limits: (number | null)[] = [];
    if (topicChanges) limits.push(settings.move_messages_within_stream_limit_seconds);
    if (from !== to) limits.push(settings.move_messages_between_streams_limit_seconds);
    const limit = Math.min(...limits.map((one) => one ?? Infinity));
    if (limit < Infinity) checkReach(reader, whole(), limit);
  }
  if (!topic && !mayWithOwner(reader, user, to, "can_create_topic_group")) {
    throw topicCreationNotAllowed();
  }
}

/** Ids follow the time, so the messages that are young enough are the last ones. */
function checkReach(reader: Reader, whole: Selection, limit: number): void {
  const isOld = (id: number) => isOlder(reader, reader.messages.get(id)!.timestamp, limit);
  const ids = idsIn(whole);
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isOld(ids[middle]!)) low = middle + 1;
    else high = middle;
  }
  if (low > 0) throw moveLimitExceeded(ids[low] ?? null, ids.length - low, ids.length);
}
