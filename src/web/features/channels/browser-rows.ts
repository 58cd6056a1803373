// The rows of the channel list: selection, order and headings.
import { compareNames, matchesWords } from "../../matching.ts";
import type { State } from "../../store/state.ts";
import type { ChannelFilter } from "./route-rules.ts";
import type { KnownChannel } from "./state.ts";

export const SORTS = ["folder", "name", "members", "traffic", "newest"] as const;
export type ChannelSort = (typeof SORTS)[number];

export interface BrowsedRow {
  key: string;
  isHead?: boolean;
  /** Name of the folder in headings. Undefined for channels without one. */
  name?: string | undefined;
  channel?: KnownChannel;
}

interface ChannelSearch {
  filter: ChannelFilter;
  text: string;
  sort: ChannelSort;
}

const NEVER = -1;

export function browsedRows(state: State, { filter, text, sort }: ChannelSearch): BrowsedRow[] {
  const matches = allByName(state.channels.channels).filter((channel) => {
    const { row, membership } = channel;
    if (row.is_archived !== (filter === "archived")) return false;
    if (filter === "subscribed" && membership !== "subscribed") return false;
    if (filter === "available" && membership === "subscribed") return false;
    return text === "" || matchesWords(text, row.name) || matchesWords(text, row.description);
  });
  const sortValue: Readonly<Record<ChannelSort, ((channel: KnownChannel) => number) | undefined>> =
    {
      folder: undefined,
      name: undefined,
      members: ({ row }) => row.subscriber_count,
      traffic: ({ row }) => row.stream_weekly_traffic ?? NEVER,
      newest: ({ row }) => row.date_created,
    };
  const valueOf = sortValue[sort];
  if (valueOf) matches.sort((a, b) => valueOf(b) - valueOf(a));
  return sort === "folder" ? rowsByFolder(state, matches) : matches.map(rowOf);
}

/** The order of the last listing. */
let order: readonly number[] = [];

/**
 * Starts with the previous order and inserts new channels by name, because comparing names by
 * language is slow and an almost sorted list needs few comparisons.
 */
function allByName(channels: ReadonlyMap<number, KnownChannel>): KnownChannel[] {
  const listedIds = new Set(order);
  const all = order.flatMap((id) => channels.get(id) ?? []);
  const others = [...channels].filter(([id]) => !listedIds.has(id));
  const plain = others.map(([, channel]) => ({ channel, name: channel.row.name.toLowerCase() }));
  plain.sort((a, b) => (a.name < b.name ? -1 : 1));
  all.push(...plain.map(({ channel }) => channel));
  all.sort((a, b) => compareNames(a.row.name, b.row.name));
  order = all.map(({ row }) => row.stream_id);
  return all;
}

const rowOf = (channel: KnownChannel): BrowsedRow => ({ key: `${channel.row.stream_id}`, channel });

/** In the order of folders; without folders there are no headings. */
function rowsByFolder({ channels }: State, matches: readonly KnownChannel[]): BrowsedRow[] {
  const byFolder = Map.groupBy(matches, ({ row }) => {
    return row.folder_id !== null && channels.folders.has(row.folder_id) ? row.folder_id : null;
  });
  const folders = [...channels.folders.values()].sort((a, b) => a.order - b.order);
  const rows = folders.flatMap(({ id, name }) => {
    const inside = byFolder.get(id);
    if (!inside) return [];
    return [{ key: `folder ${id}`, isHead: true, name }, ...inside.map(rowOf)];
  });
  const withoutFolder = (byFolder.get(null) ?? []).map(rowOf);
  if (rows.length === 0 || withoutFolder.length === 0) return [...rows, ...withoutFolder];
  return [...rows, { key: "folder none", isHead: true }, ...withoutFolder];
}
