// Writing a channel down changed, and telling of it: to those who see it still, anew, or no more.
import type { Writer } from "../../realm.ts";
import type { Channel, User } from "../../records.ts";
import { sendNoticeToChannel } from "../messages/notices.ts";
import { canSeeChannel } from "./access.ts";
import {
  channelChanged,
  channelObject,
  channelsAppeared,
  channelsDisappeared,
  peersAdded,
  subscriberIds,
} from "./wire.ts";
import { CHANNEL_EVENTS_TOPIC } from "./words.ts";

/** One property that does not touch who sees the channel. */
export function changeProperty<P extends keyof Channel>(
  tx: Writer,
  channel: Channel,
  property: P,
  value: Channel[P],
  besides: Partial<Channel> = {},
): Channel {
  const changed = { ...channel, [property]: value, ...besides };
  tx.channels.put(changed);
  const event = channelChanged(channel, property, value, besides);
  tx.emit(event, { to: "viewers", stream_id: channel.stream_id });
  return changed;
}

/** What changes who sees the channel. `tell` says what changed to those who see it still. */
export function changeSight(
  tx: Writer,
  before: Channel,
  after: Channel,
  tell: (gained: readonly number[]) => void,
): void {
  const people = [...tx.users.range()].filter((user) => user.is_active);
  const saw = new Set(people.filter((user) => canSeeChannel(tx, user, before)));
  tx.channels.put(after);
  const sees = (user: User) => canSeeChannel(tx, user, after);
  const gained = people.filter((user) => !saw.has(user) && sees(user)).map((user) => user.user_id);
  const lost = [...saw].filter((user) => !sees(user)).map((user) => user.user_id);
  tell(gained);
  tellSight(tx, after, gained, lost);
}

/** Tells people that the channel came in their sight, or went out of it. */
export function tellSight(
  tx: Writer,
  channel: Channel,
  gained: readonly number[],
  lost: readonly number[],
): void {
  const { stream_id, is_archived } = channel;
  const needs = is_archived ? ({ needs: "archived_channels" } as const) : {};
  if (gained.length > 0) {
    const audience = { to: "people", user_ids: gained } as const;
    tx.emit({ ...channelsAppeared([channelObject(tx, channel, 0)]), ...needs }, audience);
    const subscribers = subscriberIds(tx, stream_id);
    if (subscribers.length > 0) {
      tx.emit({ ...peersAdded([stream_id], subscribers), ...needs }, audience);
    }
  }
  if (lost.length === 0) return;
  const audience = { to: "people", user_ids: lost } as const;
  tx.emit({ ...channelsDisappeared([stream_id]), ...needs }, audience);
}

/** In the channel itself, where the organization wants such news. */
export function noteInChannel(tx: Writer, stream_id: number, content: string): void {
  if (!tx.settings.send_channel_events_messages) return;
  sendNoticeToChannel(tx, tx.channels.get(stream_id)!, CHANNEL_EVENTS_TOPIC, content);
}
