// Stores changes of a channel, and emits events to users who can, can now or can no longer see it.
import type { Writer } from "../../../realm.ts";
import type { Channel, User } from "../../../schema/records.ts";
import { sendNoticeToChannel } from "../../messages/send/notices.ts";
import { canSeeChannel } from "../access.ts";
import { CHANNEL_EVENTS_TOPIC } from "../bot-messages.ts";
import { emitDataNamingChannels } from "../subscriptions/name-references.ts";
import { channelsAppearedText } from "../json-cache.ts";
import {
  channelChanged,
  channelObject,
  channelsAppeared,
  channelsDisappeared,
  peersAdded,
  subscriberIds,
} from "../wire.ts";

/** Changes a property that does not affect who sees the channel. */
export function changeProperty<P extends keyof Channel>(
  tx: Writer,
  channel: Channel,
  property: P,
  value: Channel[P],
  otherChanges: Partial<Channel> = {},
): Channel {
  const updatedChannel = { ...channel, [property]: value, ...otherChanges };
  tx.channels.put(updatedChannel);
  const event = channelChanged(channel, property, value, otherChanges);
  tx.emit(event, { to: "viewers", stream_id: channel.stream_id });
  return updatedChannel;
}

/** Changes who sees the channel. `notify` emits the change to users who still see it. */
export function changeVisibility(
  tx: Writer,
  before: Channel,
  after: Channel,
  notify: (gainedIds: readonly number[]) => void,
): void {
  const people = [...tx.users.range()].filter((user) => user.is_active);
  const sawBefore = new Set(people.filter((user) => canSeeChannel(tx, user, before)));
  tx.channels.put(after);
  const canSee = (user: User) => canSeeChannel(tx, user, after);
  const gainedIds = people
    .filter((user) => !sawBefore.has(user) && canSee(user))
    .map((user) => user.user_id);
  const lostIds = [...sawBefore].filter((user) => !canSee(user)).map((user) => user.user_id);
  notify(gainedIds);
  emitVisibility(tx, [{ channel: after, gainedIds, lostIds }]);
}

/** A channel with the users who gained and lost sight of it. */
export interface Visibility {
  channel: Channel;
  gainedIds: readonly number[];
  lostIds: readonly number[];
}

/**
 * Emits which channels users gained and lost sight of, with one event for users with the same
 * changes.
 */
export function emitVisibility(tx: Writer, visibilities: readonly Visibility[]): void {
  const capabilityFor = ({ channel }: Visibility) =>
    channel.is_archived ? "archived_channels" : "";
  const byChange = Map.groupBy(
    visibilities,
    (visibility) => `${capabilityFor(visibility)} ${visibility.gainedIds}/${visibility.lostIds}`,
  );
  for (const batch of byChange.values()) {
    const channels = batch.map(({ channel }) => channel);
    const { gainedIds: gained, lostIds: lost } = batch[0]!;
    const archived = channels[0]!.is_archived ? ({ needs: "archived_channels" } as const) : {};
    const stream_ids = channels.map(({ stream_id }) => stream_id);
    if (gained.length > 0) emitToNewViewers(tx, channels, gained, archived);
    if (lost.length > 0) {
      const plainEvent = channelsDisappeared(stream_ids);
      tx.emit({ ...plainEvent, ...archived }, { to: "people", user_ids: lost });
    }
    emitDataNamingChannels(tx, [...gained, ...lost], stream_ids);
  }
}

/** Clients that receive a channel as new treat it as never subscribed. */
export function forgetUnsubscription(
  tx: Writer,
  user_ids: readonly number[],
  stream_ids: readonly number[],
): void {
  for (const user_id of user_ids) {
    for (const stream_id of stream_ids) {
      const sub = tx.subscriptions.get(user_id, stream_id);
      if (!sub || sub.active || sub.is_forgotten) continue;
      tx.subscriptions.put({ ...sub, is_forgotten: true });
    }
  }
}

function emitToNewViewers(
  tx: Writer,
  channels: readonly Channel[],
  user_ids: readonly number[],
  archived: { readonly needs?: "archived_channels" },
): void {
  const audience = { to: "people", user_ids } as const;
  if (archived.needs) {
    const objects = channels.map((channel) => channelObject(tx, channel, 0));
    tx.emit({ ...channelsAppeared(objects), ...archived }, audience);
  } else tx.emitText(channelsAppeared([]), channelsAppearedText(tx, channels), audience);
  const ids = channels.map(({ stream_id }) => stream_id);
  forgetUnsubscription(tx, user_ids, ids);
  const subscribers = new Map(ids.map((stream_id) => [stream_id, subscriberIds(tx, stream_id)]));
  for (const batch of Map.groupBy(ids, (id) => `${subscribers.get(id)}`).values()) {
    const peers = subscribers.get(batch[0]!)!;
    if (peers.length > 0) tx.emit({ ...peersAdded(batch, peers), ...archived }, audience);
  }
}

/** Posts a notice in the channel if the organization enables such notices. */
export function postChannelNotice(tx: Writer, stream_id: number, content: string): void {
  if (!tx.settings.send_channel_events_messages) return;
  sendNoticeToChannel(tx, tx.channels.get(stream_id)!, CHANNEL_EVENTS_TOPIC, content);
}
