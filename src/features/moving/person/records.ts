// The records of one user's data: account, own content and settings.
import type { Reader } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { User } from "../../../schema/records.ts";
import { canReadMessage } from "../../messages/access.ts";
import { FLAG_STARRED } from "../../messages/rules.ts";
import { COST, type IdSet, idsFrom, StoredSet } from "../../messages/sets/sets.ts";
import { subjectOf } from "../../messages/spelling-wire.ts";
import { canSeeUser } from "../../people/access.ts";

const MESSAGES_AT_ONCE = 500;

/** Each name becomes a JSON file. Password hashes, keys and secrets are not in it. */
export function personRecords(reader: Reader, user: User): Record<string, unknown> {
  const { user_id } = user;
  const own = { from: [user_id], to: [user_id + 1] };
  const groups = reader.group_members.listBy("user", user_id).flatMap(({ group_id }) => {
    const group = reader.groups.get(group_id);
    return group ? [group.name] : [];
  });
  return {
    profile: { ...profileOf(reader, user), groups },
    settings: user.settings,
    channels: channelsOf(reader, user),
    topics: topicsOf(reader, user_id),
    drafts: [...reader.drafts.range(own)],
    snippets: [...reader.saved_snippets.range(own)],
    scheduled_messages: [...reader.scheduled_messages.range(own)].map(withoutJob),
    reminders: [...reader.reminders.range(own)].map(withoutJob),
    alert_words: [...reader.alert_words.range(own)].map(({ word }) => word),
    muted_users: reader.muted_users.listBy("user", user_id).map(({ muted_user_id, timestamp }) => {
      return { name: nameOf(reader, user, muted_user_id), since: timestamp };
    }),
    sign_ins: signInsOf(reader, user_id),
    bots: reader.users.listBy("owner", user_id).map((bot) => {
      return { name: bot.full_name, email: bot.delivery_email, is_active: bot.is_active };
    }),
  };
}

function profileOf(reader: Reader, user: User) {
  const fields = reader.profile_values.listBy("user", user.user_id).map(({ field_id, value }) => {
    return { field: reader.profile_fields.get(field_id)?.name ?? String(field_id), value };
  });
  const { user_id, full_name, delivery_email, role, date_joined, is_active } = user;
  const account = { user_id, full_name, email: delivery_email, role, date_joined, is_active };
  const status = reader.user_statuses.get(user_id);
  const presence = reader.presences.get(user_id);
  return { ...account, fields, status: status ?? null, presence: presence ?? null };
}

/**
 * Leaves out channels that the user has left, because the user may no longer have access to them.
 */
function channelsOf(reader: Reader, { user_id }: User) {
  return reader.subscriptions.listBy("user", user_id).flatMap((sub) => {
    const channel = sub.active ? reader.channels.get(sub.stream_id) : undefined;
    if (!channel) return [];
    const { color, is_muted, pin_to_top, desktop_notifications, audible_notifications } = sub;
    const { push_notifications, email_notifications, wildcard_mentions_notify } = sub;
    const settings = { color, is_muted, pin_to_top, desktop_notifications, audible_notifications };
    const more = { push_notifications, email_notifications, wildcard_mentions_notify };
    return [{ channel: channel.name, ...settings, ...more }];
  });
}

function topicsOf(reader: Reader, user_id: number) {
  const rows = [...reader.user_topics.range({ from: [user_id], to: [user_id + 1] })];
  return rows.flatMap(({ stream_id, topic_name, visibility_policy, last_updated }) => {
    const isIn = reader.subscriptions.get(user_id, stream_id)?.active === true;
    const channel = isIn ? reader.channels.get(stream_id) : undefined;
    if (!channel) return [];
    return [{ channel: channel.name, topic: topic_name, visibility_policy, last_updated }];
  });
}

/** Returns when and how the user signs in, without secrets. */
function signInsOf(reader: Reader, user_id: number) {
  return {
    last: reader.last_sign_ins.get(user_id)?.at ?? null,
    sessions: reader.sessions.listBy("user", user_id).map(({ created, last_used }) => {
      return { created, last_used };
    }),
    api_keys: reader.api_keys.listBy("user", user_id).map(({ client, created, last_used }) => {
      return { client, created, last_used };
    }),
    passkeys: reader.passkeys.listBy("user", user_id).map(({ name, created, last_used }) => {
      return { name, created, last_used };
    }),
    has_password: reader.passwords.has(user_id),
    has_authenticator_app: reader.totps.has(user_id),
  };
}

function withoutJob<R extends { job_at: unknown; job_id: unknown }>(row: R) {
  const { job_at: _at, job_id: _id, ...rest } = row;
  return rest;
}

/** Returns the messages that the user sent, oldest first. */
export function* ownMessages(reader: Reader, user: User): Iterable<object> {
  const sentMessages = new StoredSet("sender", COST.person, reader.sender_messages, [user.user_id]);
  for (const message of messagesIn(reader, sentMessages)) {
    if (message.sender_id !== user.user_id) continue;
    const { id, timestamp, content, last_edit_timestamp, client } = message;
    const isReadable = canReadMessage(reader, user, message);
    const locationInExport = isReadable ? placeOf(reader, user, message) : null;
    yield { id, timestamp, place: locationInExport, content, last_edit_timestamp, client };
  }
}

/** Reactions of the user, without the messages of others. */
export function* ownReactions(reader: Reader, { user_id }: User): Iterable<object> {
  const reacted = new StoredSet("reacted", COST.marks, reader.reacted_messages, [0]);
  for (const { id, reactions } of messagesIn(reader, reacted)) {
    for (const { user_id: reactingUserId, emoji_name } of reactions ?? []) {
      if (reactingUserId === user_id) yield { message_id: id, emoji_name };
    }
  }
}

export function* ownStars(reader: Reader, { user_id }: User): Iterable<object> {
  const starred = new StoredSet("starred", COST.marks, reader.flags, [user_id, FLAG_STARRED]);
  for (const { id, timestamp } of messagesIn(reader, starred)) yield { message_id: id, timestamp };
}

function* messagesIn(reader: Reader, set: IdSet): Iterable<Message> {
  for (let from = 1; ;) {
    const ids = idsFrom(set, from, reader.last("messages"), MESSAGES_AT_ONCE);
    for (const id of ids) {
      const message = reader.messages.get(id);
      if (message) yield message;
    }
    if (ids.length < MESSAGES_AT_ONCE) return;
    from = ids.at(-1)! + 1;
  }
}

function placeOf(reader: Reader, user: User, message: Message): object {
  const channel = reader.channels.get(message.stream_id);
  if (channel) return { channel: channel.name, topic: subjectOf(reader, message) };
  const { user_ids = [] } = reader.conversations.get(message.recipient_id) ?? {};
  return { people: user_ids.map((id) => nameOf(reader, user, id)) };
}

function nameOf(reader: Reader, viewer: User, user_id: number): string {
  const user = reader.users.get(user_id);
  return user && canSeeUser(reader, viewer, user) ? user.full_name : "Unknown user";
}
