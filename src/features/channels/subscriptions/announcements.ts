// The notification bot's announcements of new channels.
import type { Writer } from "../../../realm.ts";
import type { Channel, User } from "../../../schema/records.ts";
import { sendNoticeToChannel } from "../../messages/send/notices.ts";
import {
  announcement,
  CHANNEL_EVENTS_TOPIC,
  creation,
  NEW_CHANNELS_TOPIC,
} from "../bot-messages.ts";

/**
 * Announces public channels in the configured channel, and posts a first message in each new
 * channel.
 */
export function announceChannels(
  tx: Writer,
  actingUser: User,
  channels: readonly Channel[],
  announce: boolean,
): void {
  const { new_stream_announcements_stream_id, send_channel_events_messages } = tx.settings;
  const announcementChannel = tx.channels.get(new_stream_announcements_stream_id);
  const sentItems = channels.filter((channel) => !channel.invite_only);
  if (announce && announcementChannel && !announcementChannel.is_archived && sentItems.length > 0) {
    sendNoticeToChannel(
      tx,
      announcementChannel,
      NEW_CHANNELS_TOPIC,
      announcement(actingUser, sentItems),
    );
  }
  if (!send_channel_events_messages) return;
  for (const channel of channels) {
    sendNoticeToChannel(tx, channel, CHANNEL_EVENTS_TOPIC, creation(actingUser, channel));
  }
}
