// Loading a channel folder, or refusing.
import { channelFolderNotFound } from "../../contract/errors/channels.ts";
import type { Reader } from "../../realm.ts";
import type { ChannelFolder } from "../../schema/records.ts";

export function accessFolder(reader: Reader, id: number): ChannelFolder {
  const folder = reader.channel_folders.get(id);
  if (!folder) throw channelFolderNotFound();
  return folder;
}

/** A folder that channels can be put into. */
export function accessOpenFolder(reader: Reader, id: number): ChannelFolder {
  const folder = accessFolder(reader, id);
  if (folder.is_archived) throw channelFolderNotFound();
  return folder;
}
