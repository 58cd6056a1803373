// The data of channel folders for clients, and their events.
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader } from "../../realm.ts";
import type { ChannelFolder } from "../../schema/records.ts";
import { channelsOnTheWeb } from "../channels/spectator-wire.ts";
import { inOrder } from "../realm/order-rules.ts";

/** Returns all folders in the organization's order, including archived ones. */
export function foldersInOrder(reader: Reader): ChannelFolder[] {
  return inOrder(reader.channel_folders.range());
}

export function foldersSnapshot(reader: Reader) {
  return { channel_folders: foldersInOrder(reader) };
}

/** The folders with web-public channels. */
export function webFoldersSnapshot(reader: Reader) {
  const ids = new Set(channelsOnTheWeb(reader).map((channel) => channel.folder_id));
  return { channel_folders: foldersInOrder(reader).filter(({ id }) => ids.has(id)) };
}

export const folderAdded = (channel_folder: ChannelFolder): PlainEvent => ({
  type: "channel_folder",
  op: "add",
  channel_folder,
});

export const folderUpdated = (
  channel_folder_id: number,
  data: Partial<ChannelFolder>,
): PlainEvent => ({ type: "channel_folder", op: "update", channel_folder_id, data });

export const foldersReordered = (order: readonly number[]): PlainEvent => ({
  type: "channel_folder",
  op: "reorder",
  order,
});
