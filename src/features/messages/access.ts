// Loads a message for a user or rejects the request: who may read it, and who received it.
import { spectatorsNotAllowed } from "../../contract/errors/general.ts";
import { messageNotFound } from "../../contract/errors/messages.ts";
import type { Reader } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { Subscription, User } from "../../schema/records.ts";
import { canReadChannel } from "../channels/access.ts";
import { SPECTATOR, type Viewer } from "../rights/rules.ts";
import { hasAccessAfterMove } from "./moved-access.ts";
import { FLAG_HISTORICAL, FLAG_MENTIONED, MOVED_IN } from "./rules.ts";

/** Returns the message if this user may read it. The error does not reveal whether it exists. */
export function accessMessage(reader: Reader, viewer: Viewer, message_id: number): Message {
  const message = reader.messages.get(message_id);
  if (message && canReadMessage(reader, viewer, message)) return message;
  throw viewer === SPECTATOR ? spectatorsNotAllowed() : messageNotFound();
}

/**
 * Checks access for changes of and additions to a message, which archived channels do not allow.
 */
export function accessToChange(reader: Reader, user: User, message_id: number): Message {
  const message = accessMessage(reader, user, message_id);
  if (reader.channels.get(message.stream_id)?.is_archived) throw messageNotFound();
  return message;
}

/**
 * Direct messages: their recipients. Channels: users with access to the channel and its history.
 */
export function canReadMessage(reader: Reader, viewer: Viewer, message: Message): boolean {
  const channel = reader.channels.get(message.stream_id);
  if (viewer === SPECTATOR) return channel !== undefined && canReadChannel(reader, viewer, channel);
  if (!channel) return receivedAtSend(reader, viewer.user_id, message);
  if (!canReadChannel(reader, viewer, channel)) return false;
  if (!channel.invite_only || channel.history_public_to_subscribers) return true;
  return hasReceived(reader, viewer, message);
}

/** Whether the message is among the user's own, since it was sent or through a later action. */
export function hasReceived(reader: Reader, user: User, message: Message): boolean {
  const { user_id } = user;
  if (receivedAtSend(reader, user_id, message)) return true;
  return reader.flags.has([user_id, FLAG_HISTORICAL], message.id);
}

/** A mentioned bot receives the message in a channel that it may read without being subscribed. */
export function receivedAtSend(reader: Reader, user_id: number, message: Message): boolean {
  if (message.stream_id === 0) return reader.user_directs.has([user_id], message.id);
  if (message.bits & MOVED_IN) {
    if (hasAccessAfterMove(reader, user_id, message.id)) return true;
  } else {
    const subscription = reader.subscriptions.get(user_id, message.stream_id);
    if (subscription && isInIntervals(subscription.intervals, message.id)) return true;
  }
  if (!message.mentioned_user_ids?.includes(user_id)) return false;
  const hasFlag = (flag: number) => reader.flags.has([user_id, flag], message.id);
  // An edit may mention users who got access to the message later.
  return hasFlag(FLAG_MENTIONED) && !hasFlag(FLAG_HISTORICAL);
}

/** Whether the message was sent while the user was subscribed. */
export function isInIntervals(intervals: Subscription["intervals"], message_id: number): boolean {
  for (let index = intervals.length - 4; index >= 0; index -= 4) {
    const last = intervals[index + 2]!;
    if (message_id >= intervals[index]!) return last === 0 || message_id <= last;
  }
  return false;
}
