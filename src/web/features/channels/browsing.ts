// The rows of the list of channels: which, in which order, under which heads.
import { finds } from "../../matching.ts";
import type { State } from "../../state.ts";
import { compareNames } from "../lists/order.ts";
import type { Filter } from "./route.ts";
import type { KnownChannel } from "./state.ts";

export const SORTS = ["folder", "name", "members", "traffic", "newest"] as const;
export type Sort = (typeof SORTS)[number];

export interface Row {
  key: string;
  isHead?: boolean;
  /** Of a head: the folder's, or undefined for what is in none. */
  name?: string | undefined;
  channel?: KnownChannel;
}

export interface Wish {
  filter: Filter;
  words: string;
  sort: Sort;
}

const NEVER = -1;

export function browsed(state: State, { filter, words, sort }: Wish): Row[] {
  const found = [...state.channels.channels.values()].filter((channel) => {
    const { row, standing } = channel;
    if (row.is_archived !== (filter === "archived")) return false;
    if (filter === "subscribed" && standing !== "subscribed") return false;
    if (filter === "available" && standing === "subscribed") return false;
    return words === "" || finds(words, row.name) || finds(words, row.description);
  });
  const worth: Readonly<Record<Sort, ((channel: KnownChannel) => number) | undefined>> = {
    folder: undefined,
    name: undefined,
    members: ({ row }) => row.subscriber_count,
    traffic: ({ row }) => row.stream_weekly_traffic ?? NEVER,
    newest: ({ row }) => row.date_created,
  };
  const of = worth[sort];
  found.sort((a, b) => (of ? of(b) - of(a) : 0) || compareNames(a.row.name, b.row.name));
  return sort === "folder" ? inFolders(state, found) : found.map(rowOf);
}

const rowOf = (channel: KnownChannel): Row => ({ key: `${channel.row.stream_id}`, channel });

/** In the order of folders; where there are none, no head says so. */
function inFolders({ channels }: State, found: readonly KnownChannel[]): Row[] {
  const byFolder = Map.groupBy(found, ({ row }) => {
    return row.folder_id !== null && channels.folders.has(row.folder_id) ? row.folder_id : null;
  });
  const folders = [...channels.folders.values()].sort((a, b) => a.order - b.order);
  const rows = folders.flatMap(({ id, name }) => {
    const inside = byFolder.get(id);
    if (!inside) return [];
    return [{ key: `folder ${id}`, isHead: true, name }, ...inside.map(rowOf)];
  });
  const loose = (byFolder.get(null) ?? []).map(rowOf);
  if (rows.length === 0 || loose.length === 0) return [...rows, ...loose];
  return [...rows, { key: "folder none", isHead: true }, ...loose];
}
