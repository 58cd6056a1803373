// Creates channels.
import { Refusal } from "../../../contract/errors/general.ts";
import { Type } from "typebox";
import {
  channelNameTaken,
  insufficientPermission,
  userIsDeactivated,
  userNotFound,
} from "../../../contract/errors/channels.ts";
import { defaulted, endpoint, json, text } from "../../../endpoint.ts";
import type { Reader, Writer } from "../../../realm.ts";
import type { Channel, User } from "../../../schema/records.ts";
import { canSeeChannel, checkChannelLimit, canAddSubscribers } from "../access.ts";
import { foldedName } from "../rules.ts";
import { BulkSubscribe } from "../subscriptions/bulk-parts.ts";
import { finishBulkSubscribe } from "../subscriptions/bulk-subscribe.ts";
import { subscribe, type SubscribeOptions } from "../subscriptions/subscribe.ts";
import {
  channelObject,
  channelsAppeared,
  defaultChannelIds,
  defaultChannelsChanged,
} from "../wire.ts";
import {
  type ChannelFields,
  draftChannel,
  newChannelFields,
  newChannelParams,
} from "./new-channel.ts";

/** Creates a channel and subscribes users. `actingUser` is null for the operator. */
export function createChannel(
  tx: Writer,
  actingUser: User | null,
  fields: ChannelFields,
  subscribers: readonly User[] = [],
  options: SubscribeOptions = {},
): Channel {
  const draft = draftChannel(tx, actingUser, fields);
  const others = subscribers.some((user) => user.user_id !== actingUser?.user_id);
  if (actingUser && others && !canAddSubscribers(tx, actingUser, draft))
    throw insufficientPermission();
  if (tx.channels.findBy("name", foldedName(draft.name))) throw channelNameTaken(draft.name);

  const stream_id = tx.next("channels");
  const channel = { ...draft, stream_id, recipient_id: tx.next("recipients") };
  tx.channels.put(channel);
  // Users who can see the channel only because they are subscribed receive it with the event of
  // their subscription.
  const invited = subscribers
    .filter((user) => !options.bulk?.waits(user) && !canSeeChannel(tx, user, channel))
    .map((user) => user.user_id);
  const appeared = channelsAppeared([channelObject(tx, channel)]);
  tx.emit(appeared, { to: "viewers", stream_id, ...(invited.length > 0 && { except: invited }) });
  if (channel.is_default) {
    tx.emit(defaultChannelsChanged(defaultChannelIds(tx)), { to: "members" });
  }
  subscribe(tx, null, subscribers, [channel], options);
  return channel;
}

export const postChannel = endpoint({
  summary: "Create a channel",
  tag: "Channels",
  params: {
    name: text,
    description: defaulted(text, ""),
    subscribers: json(Type.Array(Type.Integer())),
    ...newChannelParams,
  },
  answer: Type.Object({ id: Type.Integer() }),
  refuses: ["CHANNEL_ALREADY_EXISTS", "SYSTEM_GROUP_REQUIRED"],
  run: async ({ realm, user }, { name, description, subscribers, ...input }) => {
    const { id, crowd_id } = await realm.write((tx) => {
      checkChannelLimit(tx, user, 1);
      const people = Refusal.inField("subscribers", () => activePeople(tx, subscribers));
      const fields = newChannelFields(name, description, input);
      const bulk = new BulkSubscribe(user, people.length);
      const channel = createChannel(tx, user, fields, people, { bulk });
      return { id: channel.stream_id, crowd_id: bulk.settle(tx, [channel], input.announce) };
    });
    await finishBulkSubscribe(realm, crowd_id);
    return { id };
  },
});

/** Returns each user once. */
export function activePeople(reader: Reader, user_ids: readonly number[]): User[] {
  return [...new Set(user_ids)].map((user_id) => {
    const user = reader.users.get(user_id);
    if (!user || user.is_system_bot) throw userNotFound();
    if (!user.is_active) throw userIsDeactivated();
    return user;
  });
}
