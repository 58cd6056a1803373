// What happens to channels: making one, and changing what it is.
import { channelNameTaken, insufficientPermission } from "../../errors-channels.ts";
import type { Writer } from "../../realm.ts";
import type { Channel, User } from "../../records.ts";
import { canSeeChannel, mayAddSubscribers } from "./access.ts";
import { type ChannelFields, draftChannel } from "./draft.ts";
import { foldedName } from "./rules.ts";
import { subscribe, type SubscribeOptions } from "./subscribe.ts";
import {
  channelObject,
  channelsAppeared,
  defaultChannelIds,
  defaultChannelsChanged,
} from "./wire.ts";

/** Makes a channel and subscribes people to it; `by` null: the operator. */
export function createChannel(
  tx: Writer,
  by: User | null,
  fields: ChannelFields,
  subscribers: readonly User[] = [],
  options: SubscribeOptions = {},
): Channel {
  const draft = draftChannel(tx, by, fields);
  const others = subscribers.some((user) => user.user_id !== by?.user_id);
  if (by && others && !mayAddSubscribers(tx, by, draft)) throw insufficientPermission();
  if (tx.channels.one("name", foldedName(draft.name))) throw channelNameTaken(draft.name);

  const stream_id = tx.next("channels");
  const channel = { ...draft, stream_id, recipient_id: tx.next("recipients") };
  tx.channels.put(channel);
  // Who sees it by the subscription alone hears of it when that comes.
  const later = subscribers
    .filter((user) => !options.crowd?.waits(user) && !canSeeChannel(tx, user, channel))
    .map((user) => user.user_id);
  const appeared = channelsAppeared([channelObject(tx, channel)]);
  tx.emit(appeared, { to: "viewers", stream_id, ...(later.length > 0 && { except: later }) });
  if (channel.is_default) {
    tx.emit(defaultChannelsChanged(defaultChannelIds(tx)), { to: "members" });
  }
  subscribe(tx, null, subscribers, [channel], options);
  return channel;
}
