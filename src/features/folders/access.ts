// Loads a channel folder or rejects the request.
import { channelFolderNotFound } from "../../contract/errors/channels.ts";
import type { Reader } from "../../realm.ts";
import type { ChannelFolder } from "../../schema/records.ts";

export function accessFolder(reader: Reader, id: number): ChannelFolder {
  const folder = reader.channel_folders.get(id);
  if (!folder) throw channelFolderNotFound();
  return folder;
}

/** Returns a folder to which channels can be added. */
export function accessUnarchivedFolder(reader: Reader, id: number): ChannelFolder {
  const folder = accessFolder(reader, id);
  if (folder.is_archived) throw channelFolderNotFound();
  return folder;
}
