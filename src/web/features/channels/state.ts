/** Known channels, the user's subscriptions, folders, and default channels. */
import type { Static } from "typebox";
import type { defaultGroupShape, folderShape } from "../../../contract/shapes/channels.ts";
import type { Changed, Event, ListedChannel, Snapshot } from "../../contract/snapshot.ts";

/** A channel, with the user's own settings if the user is or was subscribed to it. */
export type Channel = Omit<ListedChannel, "subscribers" | "partial_subscribers">;

export interface KnownChannel {
  row: Channel;
  /** "former": the user was subscribed once. */
  membership: "subscribed" | "former" | "never";
  /** undefined if the user may not see them. */
  subscribers: Set<number> | undefined;
  /** The set contains only some subscribers, such as active users. */
  isPartial: boolean;
}

export type ChannelFolder = Static<typeof folderShape>;
type SidebarOrder = Readonly<NonNullable<Snapshot["skein_sidebar_order"]>>;
export type DefaultGroup = Static<typeof defaultGroupShape>;

export interface Channels {
  channels: Map<number, KnownChannel>;
  folders: Map<number, ChannelFolder>;
  defaults: readonly number[];
  default_groups: readonly DefaultGroup[];
  /** The user's own order in the sidebar. */
  order: SidebarOrder | undefined;
  /** The plain channel objects, if the client requested them. */
  streams: Map<number, Channel> | undefined;
}

export const CHANNEL_FIELDS = [
  "subscriptions",
  "unsubscribed",
  "never_subscribed",
  "streams",
  "channel_folders",
  "realm_default_streams",
  "realm_default_stream_groups",
  "skein_sidebar_order",
] as const;

export function hydrateChannels(snapshot: Snapshot): Channels {
  const { subscriptions, unsubscribed, never_subscribed, streams } = snapshot;
  const lists = [
    ...rowsOf(subscriptions, "subscribed"),
    ...rowsOf(unsubscribed, "former"),
    ...rowsOf(never_subscribed, "never"),
  ];
  const folders = snapshot.channel_folders ?? [];
  return {
    channels: new Map(lists.map((channel) => [channel.row.stream_id, channel])),
    folders: new Map(folders.map((folder) => [folder.id, folder])),
    defaults: snapshot.realm_default_streams ?? [],
    default_groups: snapshot.realm_default_stream_groups ?? [],
    order: snapshot.skein_sidebar_order,
    streams: streams && new Map(streams.map((row) => [row.stream_id, { ...row }])),
  };
}

const rowsOf = (rows: readonly ListedChannel[] = [], membership: KnownChannel["membership"]) =>
  rows.map((row) => toKnownChannel(row, membership));

function toKnownChannel(
  listedChannel: ListedChannel,
  membership: KnownChannel["membership"],
): KnownChannel {
  const { subscribers, partial_subscribers, ...row } = listedChannel;
  const subscriberIds = subscribers ?? partial_subscribers;
  return {
    row,
    membership,
    subscribers: subscriberIds && new Set(subscriberIds),
    isPartial: subscribers === undefined && subscriberIds !== undefined,
  };
}

export function dehydrateChannels(slice: Channels): Partial<Snapshot> {
  const all = [...slice.channels.values()];
  const rows = (membership: KnownChannel["membership"]) =>
    all.filter((channel) => channel.membership === membership).map(rowOf);
  return {
    subscriptions: rows("subscribed"),
    unsubscribed: rows("former"),
    never_subscribed: rows("never"),
    streams: slice.streams && [...slice.streams.values()],
    channel_folders: [...slice.folders.values()],
    realm_default_streams: slice.defaults,
    realm_default_stream_groups: slice.default_groups,
    skein_sidebar_order: slice.order,
  };
}

function rowOf({ row, subscribers, isPartial }: KnownChannel): ListedChannel {
  if (!subscribers) return row;
  return { ...row, [isPartial ? "partial_subscribers" : "subscribers"]: [...subscribers] };
}

export function isSubscribed({ channels }: Channels, stream_id: number): boolean {
  return channels.get(stream_id)?.membership === "subscribed";
}

export function reduceChannels(slice: Channels, event: Event, me: number, changed: Changed): void {
  switch (event.type) {
    case "stream":
      reduceChannel(slice, event, changed);
      return;
    case "subscription":
      reduceSubscription(slice, event, me, changed);
      return;
    case "channel_folder":
      reduceFolder(slice, event);
      changed.add("folders");
      return;
    case "skein_sidebar_order":
      slice.order = { folders: event.folders, channels: event.channels };
      changed.add("folders");
      return;
    case "default_streams":
      slice.defaults = event["default_streams"];
      changed.add("channels");
      return;
    case "default_stream_groups":
      slice.default_groups = event["default_stream_groups"];
      changed.add("channels");
  }
}

function reduceChannel(slice: Channels, event: Event<"stream">, changed: Changed): void {
  changed.add("channels");
  if (event.op === "create") {
    for (const row of event.streams) {
      changed.add(`channel:${row.stream_id}`);
      slice.streams?.set(row.stream_id, { ...row });
      slice.channels.set(row.stream_id, toKnownChannel({ ...row, subscribers: [] }, "never"));
    }
  } else if (event.op === "delete") {
    for (const id of event.stream_ids) {
      changed.add(`channel:${id}`);
      slice.streams?.delete(id);
      slice.channels.delete(id);
    }
  } else {
    const { stream_id, property, value } = event;
    changed.add(`channel:${stream_id}`);
    const change = { [property]: value, ...pickBeside(event) };
    for (const row of [slice.channels.get(stream_id)?.row, slice.streams?.get(stream_id)]) {
      if (row) Object.assign(row, change);
    }
  }
}

/** Further values in an update event, besides its property. */
function pickBeside(event: Event<"stream">): Partial<Channel> {
  const names = ["rendered_description", "history_public_to_subscribers", "is_web_public"] as const;
  return Object.fromEntries(names.filter((n) => n in event).map((n) => [n, event[n]]));
}

function reduceSubscription(
  slice: Channels,
  event: Event<"subscription">,
  me: number,
  changed: Changed,
): void {
  const { channels } = slice;
  switch (event.op) {
    case "add":
      for (const row of event.subscriptions) {
        channels.set(row.stream_id, toKnownChannel(row, "subscribed"));
        changed.add("channels").add(`channel:${row.stream_id}`);
      }
      return;
    case "remove":
      for (const { stream_id } of event.subscriptions) {
        const channel = channels.get(stream_id);
        if (!channel) continue;
        channel.membership = "former";
        removeSubscriberFrom(channel, me);
        changed.add("channels").add(`channel:${stream_id}`);
      }
      return;
    case "update": {
      const channel = channels.get(event.stream_id);
      // A client without support for archived channels does not know the archived ones.
      if (channel?.membership === "subscribed")
        Object.assign(channel.row, { [event.property]: event.value });
      changed.add("channels").add(`channel:${event.stream_id}`);
      return;
    }
    default:
      reducePeers(slice, event, changed);
  }
}

type PeerEvent = Extract<Event<"subscription">, { op: "peer_add" | "peer_remove" }>;

function reducePeers({ channels }: Channels, event: PeerEvent, changed: Changed): void {
  for (const id of event.stream_ids) {
    const channel = channels.get(id);
    changed.add(`subscribers:${id}`);
    if (!channel) continue;
    for (const user_id of event.user_ids) {
      if (event.op === "peer_add") addSubscriberTo(channel, user_id);
      else removeSubscriberFrom(channel, user_id);
    }
  }
}

/**
 * The number of subscribers has no event of its own, so it is counted here, without known
 * subscribers.
 */
function addSubscriberTo({ row, subscribers }: KnownChannel, user_id: number): void {
  if (subscribers?.has(user_id)) return;
  subscribers?.add(user_id);
  row.subscriber_count++;
}

function removeSubscriberFrom(
  { row, subscribers, isPartial }: KnownChannel,
  user_id: number,
): void {
  const wasIn = subscribers?.delete(user_id) ?? true;
  if (wasIn || isPartial) row.subscriber_count--;
}

function reduceFolder({ folders }: Channels, event: Event<"channel_folder">): void {
  const { op, channel_folder, channel_folder_id, data, order } = event;
  if (op === "add") folders.set(channel_folder.id, channel_folder);
  else if (op === "update") Object.assign(folders.get(channel_folder_id) ?? {}, data);
  else for (const folder of folders.values()) folder.order = order.indexOf(folder.id);
}
