// Making a channel, and what the notification bot says of it.
import Type from "typebox";
import { defaulted, endpoint, json, text } from "../../endpoint.ts";
import { userIsDeactivated, userNotFound } from "../../errors-channels.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Channel, User } from "../../records.ts";
import { sendNoticeToChannel } from "../messages/notices.ts";
import { createChannel } from "./actions.ts";
import { newChannelFields, newChannelParams } from "./parameters.ts";
import { announcement, CHANNEL_EVENTS_TOPIC, creation, NEW_CHANNELS_TOPIC } from "./words.ts";

export const postChannel = endpoint({
  params: {
    name: text,
    description: defaulted(text, ""),
    subscribers: json(Type.Array(Type.Integer())),
    ...newChannelParams,
  },
  run: ({ realm, user }, { name, description, subscribers, ...given }) =>
    realm.write((tx) => {
      const people = activePeople(tx, subscribers);
      const fields = newChannelFields(name, description, given);
      const channel = createChannel(tx, user, fields, people);
      tellOfNew(tx, user, [channel], given.announce === true);
      return { id: channel.stream_id };
    }),
});

/** Each once. */
export function activePeople(reader: Reader, user_ids: readonly number[]): User[] {
  return [...new Set(user_ids)].map((user_id) => {
    const user = reader.users.get(user_id);
    if (!user || user.is_system_bot) throw userNotFound();
    if (!user.is_active) throw userIsDeactivated();
    return user;
  });
}

/** In the channel for such news, of those that everyone may know; and in each channel itself. */
export function tellOfNew(
  tx: Writer,
  by: User,
  channels: readonly Channel[],
  announce: boolean,
): void {
  const { new_stream_announcements_stream_id, send_channel_events_messages } = tx.settings;
  const place = tx.channels.get(new_stream_announcements_stream_id);
  const told = channels.filter((channel) => !channel.invite_only);
  if (announce && place && !place.is_archived && told.length > 0) {
    sendNoticeToChannel(tx, place, NEW_CHANNELS_TOPIC, announcement(by, told));
  }
  if (!send_channel_events_messages) return;
  for (const channel of channels) {
    sendNoticeToChannel(tx, channel, CHANNEL_EVENTS_TOPIC, creation(by, channel));
  }
}
