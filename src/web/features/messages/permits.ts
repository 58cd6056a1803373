// The user's permissions for a message, with the server's rules on the client's state.
import { ADMINISTRATOR } from "../../../contract/roles.ts";
import {
  type Actor,
  EDIT_BUFFER_SECONDS,
  type Limits,
  mayTakeFrom,
  whyNotDelete,
  whyNotEdit,
  whyNotRetopic,
} from "../../../features/messages/permitted-rules.ts";
import type { State } from "../../state.ts";
import type { Channel } from "../channels/state.ts";
import { may, mayAdminister, mayIn, roleOf } from "../groups/may.ts";
import { personOf } from "../people/state.ts";
import { isOpen } from "../topics/may.ts";
import type { Message } from "./state.ts";

/** `now`: seconds since 1970. */
export function actorIn(state: State, now: number): Actor<Channel> {
  return {
    user_id: state.people.me,
    role: roleOf(state),
    now,
    limits: limitsIn(state),
    may: (name) => may(state, name),
    mayIn: (channel, name) => mayIn(state, channel, name),
    mayAdminister: (channel) => mayAdminister(state, channel),
    mayPostIn: (channel) => mayIn(state, channel, "can_send_message_group"),
  };
}

function limitsIn({ organization: { fields } }: State): Limits {
  const limit = (name: keyof Limits) => (fields[`realm_${name}`] as number | null) ?? null;
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

const channelOf = ({ channels }: State, { stream_id }: Message): Channel | undefined =>
  stream_id === undefined ? undefined : channels.channels.get(stream_id)?.row;

/** Polls and to-do lists are what was made of their text. */
export function mayEdit(state: State, message: Message, now: number): boolean {
  if (message.submessages.length > 0 || !isOpen(message.stream_id, state)) return false;
  // The seconds in which one may still finish are not for beginning.
  return whyNotEdit(actorIn(state, now), message, 0) === undefined;
}

/** Until when (seconds since 1970) one may begin to change it; undefined: for ever, or never. */
export function editableUntil(state: State, message: Message): number | undefined {
  const limit = limitsIn(state).message_content_edit_limit_seconds;
  return limit === null ? undefined : message.timestamp + limit;
}

/** Until when what was begun in time can be saved. */
export function savableUntil(state: State, message: Message): number | undefined {
  const until = editableUntil(state, message);
  return until === undefined ? undefined : until + EDIT_BUFFER_SECONDS;
}

/** Until when one may delete it; undefined: for ever, or never. */
export function deletableUntil(state: State, message: Message): number | undefined {
  const limit = limitsIn(state).message_content_delete_limit_seconds;
  if (limit === null || mayDelete(state, message, Infinity)) return undefined;
  return message.timestamp + limit;
}

export function mayDelete(state: State, message: Message, now: number): boolean {
  if (!isOpen(message.stream_id, state)) return false;
  const { people } = state;
  const isOwn =
    message.sender_id === people.me ||
    personOf(people, message.sender_id)?.bot_owner_id === people.me;
  const channel = channelOf(state, message);
  return whyNotDelete(actorIn(state, now), message, isOwn, channel) === undefined;
}

export function mayRetopic(state: State, message: Message, now: number): boolean {
  const channel = channelOf(state, message);
  if (!channel || !isOpen(message.stream_id, state)) return false;
  return whyNotRetopic(actorIn(state, now), message, [channel]) === undefined;
}

export function mayTake(state: State, message: Message, now: number): boolean {
  const channel = channelOf(state, message);
  if (!channel || !isOpen(message.stream_id, state)) return false;
  return mayTakeFrom(actorIn(state, now), channel);
}

/** For deleting a topic with all messages. Requires permission to delete any single message. */
export const mayDeleteTopic = (state: State, stream_id: number): boolean =>
  roleOf(state) <= ADMINISTRATOR &&
  state.channels.channels.get(stream_id)?.row.is_archived === false;

/** By the organization's policy. `hadEdits`: its content was changed. */
export function maySeeHistory(
  { organization }: State,
  { last_edit_timestamp, last_moved_timestamp }: Message,
): boolean {
  const policy = organization.fields["realm_message_edit_history_visibility_policy"];
  if (policy === "none") return false;
  if (last_moved_timestamp !== undefined) return true;
  return policy === "all" && last_edit_timestamp !== undefined;
}

export const mayReport = ({ organization }: State): boolean =>
  Number(organization.fields["realm_moderation_request_channel_id"] ?? -1) > 0;

export const maySeeReceipts = ({ organization }: State): boolean =>
  organization.fields["realm_enable_read_receipts"] === true;
