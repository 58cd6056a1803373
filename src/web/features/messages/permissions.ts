// The user's permissions for a message, with the server's rules on the client's state.
import { ADMINISTRATOR } from "../../../contract/roles.ts";
import {
  type Actor,
  EDIT_BUFFER_SECONDS,
  type Limits,
  canMoveOutOf,
  whyNotDelete,
  whyNotEdit,
  whyNotMoveToTopic,
} from "../../../features/messages/permission-rules.ts";
import type { State } from "../../store/state.ts";
import type { Channel } from "../channels/state.ts";
import { can, canAdminister, passesChannelSetting, roleOf } from "../groups/permissions.ts";
import { personOf } from "../people/state.ts";
import { isOpen } from "../topics/permissions.ts";
import type { Message } from "../../contract/message.ts";

/** `now`: seconds since 1970. */
function actorIn(state: State, now: number): Actor<Channel> {
  return {
    user_id: state.people.me,
    role: roleOf(state),
    now,
    limits: limitsIn(state),
    hasPermission: (name) => can(state, name),
    hasChannelPermission: (channel, name) => passesChannelSetting(state, channel, name),
    canAdminister: (channel) => canAdminister(state, channel),
    canPostIn: (channel) => passesChannelSetting(state, channel, "can_send_message_group"),
  };
}

function limitsIn({ organization: { fields } }: State): Limits {
  const limit = (name: Exclude<keyof Limits, "allow_message_editing">) =>
    fields[`realm_${name}`] ?? null;
  return {
    allow_message_editing: fields["realm_allow_message_editing"] === true,
    message_content_edit_limit_seconds: limit("message_content_edit_limit_seconds"),
    message_content_delete_limit_seconds: limit("message_content_delete_limit_seconds"),
    move_messages_within_stream_limit_seconds: limit("move_messages_within_stream_limit_seconds"),
    move_messages_between_streams_limit_seconds: limit(
      "move_messages_between_streams_limit_seconds",
    ),
  };
}

/** The channel and time of a message, on which the permission to move it depends. */
type MovableMessage = Pick<Message, "stream_id" | "timestamp">;

const channelOf = (
  { channels }: State,
  { stream_id }: Pick<Message, "stream_id">,
): Channel | undefined =>
  stream_id === undefined ? undefined : channels.channels.get(stream_id)?.row;

/** Polls and to-do lists cannot be edited, because they are generated from their text. */
export function canEdit(state: State, message: Message, now: number): boolean {
  if (message.submessages.length > 0 || !isOpen(message.stream_id, state)) return false;
  // The extra seconds are for finishing an edit, not for starting one.
  return whyNotEdit(actorIn(state, now), message, 0) === undefined;
}

/**
 * Returns until when (seconds since 1970) the user may start an edit; undefined: no limit, or not
 * at all.
 */
export function editableUntil(state: State, message: Message): number | undefined {
  const limit = limitsIn(state).message_content_edit_limit_seconds;
  return limit === null ? undefined : message.timestamp + limit;
}

/** Returns until when an edit that was started in time can be saved. */
export function savableUntil(state: State, message: Message): number | undefined {
  const until = editableUntil(state, message);
  return until === undefined ? undefined : until + EDIT_BUFFER_SECONDS;
}

/** Returns until when the user may delete it; undefined: no limit, or not at all. */
export function deletableUntil(state: State, message: Message): number | undefined {
  const limit = limitsIn(state).message_content_delete_limit_seconds;
  if (limit === null || canDelete(state, message, Infinity)) return undefined;
  return message.timestamp + limit;
}

export function canDelete(state: State, message: Message, now: number): boolean {
  if (!isOpen(message.stream_id, state)) return false;
  const { people } = state;
  const isOwn =
    message.sender_id === people.me ||
    personOf(people, message.sender_id)?.bot_owner_id === people.me;
  const channel = channelOf(state, message);
  return whyNotDelete(actorIn(state, now), message, isOwn, channel) === undefined;
}

export function canRetopic(state: State, message: MovableMessage, now: number): boolean {
  const channel = channelOf(state, message);
  if (!channel || !isOpen(message.stream_id, state)) return false;
  return whyNotMoveToTopic(actorIn(state, now), message, [channel]) === undefined;
}

export function canMoveToOtherChannel(state: State, message: MovableMessage, now: number): boolean {
  const channel = channelOf(state, message);
  if (!channel || !isOpen(message.stream_id, state)) return false;
  return canMoveOutOf(actorIn(state, now), channel);
}

/**
 * Whether the user can delete a topic with all messages. Requires permission to delete any single
 * message.
 */
export const canDeleteTopic = (state: State, stream_id: number): boolean =>
  roleOf(state) <= ADMINISTRATOR &&
  state.channels.channels.get(stream_id)?.row.is_archived === false;

export const canReport = ({ organization }: State): boolean =>
  Number(organization.fields["realm_moderation_request_channel_id"] ?? -1) > 0;

export const canSeeReceipts = ({ organization }: State): boolean =>
  organization.fields["realm_enable_read_receipts"] === true;
