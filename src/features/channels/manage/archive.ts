// Archives channels, which makes them read-only, and unarchives them.
import {
  channelAlreadyArchived,
  channelNotArchived,
  privateChannelWithoutSubscribers,
} from "../../../contract/errors/channels.ts";
import { nothing } from "../../../contract/shapes/value-types.ts";
import { endpoint, int } from "../../../endpoint.ts";
import type { Writer } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { NOWHERE, PLACES } from "../../realm/rules.ts";
import { emitTopicPolicies } from "../../topics/actions.ts";
import { accessToAdminister } from "../access.ts";
import { archiving, restoring } from "../bot-messages.ts";
import { dropFromDefaultGroups } from "../default-groups/actions.ts";
import { emitStillSubscribed } from "../subscriptions/subscribe.ts";
import {
  channelChanged,
  channelObject,
  channelsAppeared,
  channelsDisappeared,
  peersAdded,
  subscriberIds,
} from "../wire.ts";
import { postChannelNotice } from "./change.ts";
import { markDefault } from "./update.ts";

/** The name stays in use, and subscribers stay subscribed. */
export function archiveChannel(tx: Writer, user: User, stream_id: number): void {
  const channel = accessToAdminister(tx, user, stream_id);
  if (channel.is_archived) throw channelAlreadyArchived();

  clearAnnouncementSettings(tx, stream_id);
  markDefault(tx, channel, false);
  dropFromDefaultGroups(tx, stream_id);
  const archived = { ...channel, is_default: false, is_archived: true };
  tx.channels.put(archived);
  emitTopicPolicies(tx, archived);
  const viewers = { to: "viewers", stream_id } as const;
  const event = channelChanged(channel, "is_archived", true);
  tx.emit({ ...event, needs: "archived_channels" }, viewers);
  tx.emit({ ...channelsDisappeared([stream_id]), lacks: "archived_channels" }, viewers);
  postChannelNotice(tx, stream_id, archiving(user));
}

export function restoreChannel(tx: Writer, user: User, stream_id: number): void {
  const channel = accessToAdminister(tx, user, stream_id);
  if (!channel.is_archived) throw channelNotArchived();
  if (channel.invite_only && subscriberIds(tx, stream_id).length === 0) {
    throw privateChannelWithoutSubscribers();
  }

  // Earlier versions could make an archived channel a default channel.
  const revived = { ...channel, is_default: false, is_archived: false };
  tx.channels.put(revived);
  const viewers = { to: "viewers", stream_id } as const;
  const event = channelChanged(channel, "is_archived", false);
  tx.emit({ ...event, needs: "archived_channels" }, viewers);
  const appeared = channelsAppeared([channelObject(tx, revived)]);
  tx.emit({ ...appeared, lacks: "archived_channels" }, viewers);
  const subscribers = subscriberIds(tx, stream_id);
  if (subscribers.length > 0) {
    tx.emit({ ...peersAdded([stream_id], subscribers), lacks: "archived_channels" }, viewers);
    emitStillSubscribed(tx, revived);
  }
  for (const sub of tx.subscriptions.listBy("channel", stream_id)) {
    if (!sub.active) tx.subscriptions.put({ ...sub, is_revived: true });
  }
  emitTopicPolicies(tx, revived);
  postChannelNotice(tx, stream_id, restoring(user));
}

export const deleteChannel = endpoint({
  summary: "Archive a channel",
  tag: "Channels",
  params: { stream_id: int },
  answer: nothing,
  run: async ({ realm, user }, { stream_id }) => {
    await realm.write((tx) => archiveChannel(tx, user, stream_id));
    return {};
  },
});

/** Clears settings that send announcements to the channel. */
function clearAnnouncementSettings(tx: Writer, stream_id: number): void {
  const clearedSettings = PLACES.filter((name) => tx.settings[name] === stream_id);
  if (clearedSettings.length === 0) return;
  const data = Object.fromEntries(clearedSettings.map((name) => [name, NOWHERE]));
  const realm = tx.realm.get(1)!;
  tx.realm.put({ ...realm, settings: { ...realm.settings, ...data } });
  tx.emit({ type: "realm", op: "update_dict", property: "default", data }, { to: "realm" });
}
