/** Channels one knows of, one's subscriptions to them, folders, and what newcomers are given. */
import type { Changed, Event, Snapshot } from "../../snapshot.ts";
import type { GroupSetting } from "../groups/state.ts";

export interface Channel {
  stream_id: number;
  name: string;
  description: string;
  rendered_description: string;
  date_created: number;
  creator_id: number | null;
  invite_only: boolean;
  is_web_public: boolean;
  history_public_to_subscribers: boolean;
  is_archived: boolean;
  is_recently_active: boolean;
  folder_id: number | null;
  topics_policy: string;
  message_retention_days: number | null;
  stream_weekly_traffic: number | null;
  subscriber_count: number;
  can_send_message_group: GroupSetting;
  /** Only for channels that the user is or was subscribed to. */
  color?: string;
  is_muted?: boolean;
  pin_to_top?: boolean;
  /** null: as one's settings for all channels say. */
  desktop_notifications?: boolean | null;
  push_notifications?: boolean | null;
  email_notifications?: boolean | null;
  audible_notifications?: boolean | null;
  wildcard_mentions_notify?: boolean | null;
  [setting: string]: unknown;
}

export interface KnownChannel {
  row: Channel;
  /** "former": one was in it once. */
  standing: "subscribed" | "former" | "never";
  /** Undefined where one may not see them. */
  subscribers: Set<number> | undefined;
  /** The set is of some of them: enough for whom one is likely to look for. */
  isPartial: boolean;
}

export interface ChannelFolder {
  id: number;
  name: string;
  description: string;
  order: number;
  is_archived: boolean;
}

export interface Channels {
  channels: Map<number, KnownChannel>;
  folders: Map<number, ChannelFolder>;
  defaults: readonly number[];
  default_groups: readonly unknown[];
  /** The plain rows besides, where the client asked for them. */
  streams: Map<number, Channel> | undefined;
}

const LISTS = {
  subscriptions: "subscribed",
  unsubscribed: "former",
  never_subscribed: "never",
} as const;

export const CHANNEL_FIELDS = [
  ...Object.keys(LISTS),
  "streams",
  "channel_folders",
  "realm_default_streams",
  "realm_default_stream_groups",
];

export function hydrateChannels(snapshot: Snapshot): Channels {
  const channels = new Map<number, KnownChannel>();
  for (const [list, standing] of Object.entries(LISTS)) {
    for (const row of snapshot[list] ?? []) channels.set(row.stream_id, knownOf(row, standing));
  }
  const folders: ChannelFolder[] = snapshot["channel_folders"] ?? [];
  const streams: Channel[] | undefined = snapshot["streams"];
  return {
    channels,
    folders: new Map(folders.map((folder) => [folder.id, folder])),
    defaults: snapshot["realm_default_streams"] ?? [],
    default_groups: snapshot["realm_default_stream_groups"] ?? [],
    streams: streams && new Map(streams.map((row) => [row.stream_id, { ...row }])),
  };
}

function knownOf(row: Record<string, unknown>, standing: KnownChannel["standing"]): KnownChannel {
  const { subscribers, partial_subscribers, ...rest } = row;
  const some = (subscribers ?? partial_subscribers) as number[] | undefined;
  return {
    row: rest as Channel,
    standing,
    subscribers: some && new Set(some),
    isPartial: subscribers === undefined && some !== undefined,
  };
}

export function dehydrateChannels(slice: Channels): Record<string, unknown> {
  const lists = Object.entries(LISTS).map(([list, standing]) => {
    const known = [...slice.channels.values()].filter((one) => one.standing === standing);
    return [list, known.map(rowOf)];
  });
  return {
    ...Object.fromEntries(lists),
    streams: slice.streams && [...slice.streams.values()],
    channel_folders: [...slice.folders.values()],
    realm_default_streams: slice.defaults,
    realm_default_stream_groups: slice.default_groups,
  };
}

function rowOf({ row, subscribers, isPartial }: KnownChannel): Record<string, unknown> {
  if (!subscribers) return row;
  return { ...row, [isPartial ? "partial_subscribers" : "subscribers"]: [...subscribers] };
}

export function isSubscribed({ channels }: Channels, stream_id: number): boolean {
  return channels.get(stream_id)?.standing === "subscribed";
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
      slice.channels.set(row.stream_id, knownOf({ ...row, subscribers: [] }, "never"));
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
        channels.set(row.stream_id, knownOf(row, "subscribed"));
        changed.add("channels").add(`channel:${row.stream_id}`);
      }
      return;
    case "remove":
      for (const { stream_id } of event.subscriptions) {
        const known = channels.get(stream_id);
        if (!known) continue;
        known.standing = "former";
        leaveOne(known, me);
        changed.add("channels").add(`channel:${stream_id}`);
      }
      return;
    case "update": {
      const known = channels.get(event.stream_id);
      // A client that knows of no archive has no row of what is in it.
      if (known?.standing === "subscribed") known.row[event.property] = event.value;
      changed.add("channels").add(`channel:${event.stream_id}`);
      return;
    }
    default:
      reducePeers(slice, event, changed);
  }
}

type Peers = Extract<Event<"subscription">, { op: "peer_add" | "peer_remove" }>;

function reducePeers({ channels }: Channels, event: Peers, changed: Changed): void {
  for (const id of event.stream_ids) {
    const known = channels.get(id);
    changed.add(`subscribers:${id}`);
    for (const user_id of known ? event.user_ids : []) {
      if (event.op === "peer_add") joinOne(known!, user_id);
      else leaveOne(known!, user_id);
    }
  }
}

/** How many there are has no event of its own; who is known already is counted already. */
function joinOne({ row, subscribers }: KnownChannel, user_id: number): void {
  if (subscribers?.has(user_id)) return;
  subscribers?.add(user_id);
  row.subscriber_count++;
}

function leaveOne({ row, subscribers, isPartial }: KnownChannel, user_id: number): void {
  const wasIn = subscribers?.delete(user_id) ?? true;
  if (wasIn || isPartial) row.subscriber_count--;
}

function reduceFolder({ folders }: Channels, event: Event<"channel_folder">): void {
  const { op, channel_folder, channel_folder_id, data, order } = event;
  if (op === "add") folders.set(channel_folder.id, channel_folder);
  else if (op === "update") Object.assign(folders.get(channel_folder_id) ?? {}, data);
  else for (const folder of folders.values()) folder.order = order.indexOf(folder.id);
}
