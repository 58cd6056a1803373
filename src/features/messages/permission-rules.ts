// Permissions to edit, move and delete a message, shared by the server and its clients.
import type { ChannelPermission, RealmPermission } from "../rights/permission-rules.ts";
import { isModerator } from "../rights/rules.ts";

/** Extra time for changes that were started within the limit. */
export const EDIT_BUFFER_SECONDS = 20;

type Seconds = number;

/** The acting user with their organization-wide permissions. */
export interface Actor<Channel> {
  user_id: number;
  role: number;
  /** Unix time in seconds. */
  now: Seconds;
  limits: Limits;
  hasPermission(name: RealmPermission): boolean;
  hasChannelPermission(channel: Channel, name: ChannelPermission): boolean;
  canAdminister(channel: Channel): boolean;
  /** A bot may post where its owner may. */
  canPostIn(channel: Channel): boolean;
}

/** null means no limit. */
export interface Limits {
  allow_message_editing: boolean;
  message_content_edit_limit_seconds: Seconds | null;
  message_content_delete_limit_seconds: Seconds | null;
  move_messages_within_stream_limit_seconds: Seconds | null;
  move_messages_between_streams_limit_seconds: Seconds | null;
}

interface SenderAndTime {
  sender_id: number;
  timestamp: Seconds;
}

/** Includes the extra time, if any. */
export function isOlder(
  now: Seconds,
  timestamp: Seconds,
  limit: Seconds | null,
  buffer_seconds = EDIT_BUFFER_SECONDS,
): boolean {
  return limit !== null && now - timestamp > limit + buffer_seconds;
}

/** Only the sender can change a message's content, whatever the role. */
export function whyNotEdit(
  { user_id, now, limits }: Pick<Actor<never>, "user_id" | "now" | "limits">,
  { sender_id, timestamp }: SenderAndTime,
  buffer_seconds = EDIT_BUFFER_SECONDS,
): "disabled" | "not-own" | "late" | undefined {
  if (!limits.allow_message_editing) return "disabled";
  if (sender_id !== user_id) return "not-own";
  const limit = limits.message_content_edit_limit_seconds;
  return isOlder(now, timestamp, limit, buffer_seconds) ? "late" : undefined;
}

/** `isOwn`: sent by the user or a bot of theirs. `channel`: undefined for direct messages. */
export function whyNotDelete<Channel>(
  { hasPermission, hasChannelPermission, now, limits }: Actor<Channel>,
  { timestamp }: SenderAndTime,
  isOwn: boolean,
  channel: Channel | undefined,
): "not-allowed" | "late" | undefined {
  const isAllowedInChannel = (
    name: "can_delete_any_message_group" | "can_delete_own_message_group",
  ) => hasPermission(name) || (channel !== undefined && hasChannelPermission(channel, name));
  if (isAllowedInChannel("can_delete_any_message_group")) return undefined;
  if (!isOwn || !isAllowedInChannel("can_delete_own_message_group")) return "not-allowed";
  return isOlder(now, timestamp, limits.message_content_delete_limit_seconds, 0)
    ? "late"
    : undefined;
}

/** Whether the user can resolve or unresolve a topic, in any of the affected channels. */
export function canResolve<Channel>(
  { hasPermission, hasChannelPermission }: Actor<Channel>,
  channels: readonly Channel[],
): boolean {
  const name = "can_resolve_topics_group";
  return hasPermission(name) || channels.some((channel) => hasChannelPermission(channel, name));
}

/**
 * Why the user cannot move a message to another topic. `channels`: its channel and the destination.
 */
export function whyNotMoveToTopic<Channel>(
  actor: Actor<Channel>,
  { timestamp }: Pick<SenderAndTime, "timestamp">,
  channels: readonly Channel[],
): "not-allowed" | "late" | undefined {
  const { hasPermission, hasChannelPermission, canAdminister, now, limits } = actor;
  const isAllowedInChannel = (channel: Channel) =>
    canAdminister(channel) ||
    hasChannelPermission(channel, "can_move_messages_within_channel_group");
  if (
    !hasPermission("can_move_messages_between_topics_group") &&
    !channels.some(isAllowedInChannel)
  ) {
    return "not-allowed";
  }
  if (isModerator(actor)) return undefined;
  const limit = limits.move_messages_within_stream_limit_seconds;
  return isOlder(now, timestamp, limit) ? "late" : undefined;
}

/** Whether the user can move messages out of a channel. */
export function canMoveOutOf<Channel>(
  { hasPermission, hasChannelPermission, canAdminister }: Actor<Channel>,
  from: Channel,
): boolean {
  return (
    hasPermission("can_move_messages_between_channels_group") ||
    canAdminister(from) ||
    hasChannelPermission(from, "can_move_messages_out_of_channel_group")
  );
}

export function whyNotMove<Channel>(
  actor: Actor<Channel>,
  { timestamp }: Pick<SenderAndTime, "timestamp">,
  from: Channel,
  to: Channel,
): "not-allowed" | "no-posting" | "late" | undefined {
  if (!canMoveOutOf(actor, from)) return "not-allowed";
  if (!actor.canPostIn(to)) return "no-posting";
  if (isModerator(actor)) return undefined;
  const limit = actor.limits.move_messages_between_streams_limit_seconds;
  return isOlder(actor.now, timestamp, limit) ? "late" : undefined;
}
