// Channel folders: creating, changing, archiving and ordering them.
import { nameHasStackedMarks } from "../../contract/errors/people.ts";
import { hasStackedMarks, MARKS_PER_CHARACTER_MAX } from "../../text/input/combining-marks.ts";
import Type from "typebox";
import {
  channelFolderInUse,
  channelFolderNameEmpty,
  channelFolderNameTaken,
  channelFolderNameUnprintable,
  orderInvalid,
  tooLong,
  tooMany,
} from "../../contract/errors/channels.ts";
import { folderShape } from "../../contract/shapes/channels.ts";
import { list, nothing } from "../../contract/shapes/value-types.ts";
import { bool, defaulted, endpoint, int, json, optional, text } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { ChannelFolder, User } from "../../schema/records.ts";
import { unprintableIndex } from "../channels/rules.ts";
import { renderedDescription } from "../messages/content/description.ts";
import { isOrderOf, lastPlace } from "../realm/order-rules.ts";
import { accessFolder } from "./access.ts";
import { FOLDER_DESCRIPTION_LENGTH_MAX, FOLDER_NAME_LENGTH_MAX, FOLDERS_MAX } from "./rules.ts";
import { folderAdded, foldersInOrder, foldersReordered, folderUpdated } from "./wire.ts";

export function createFolder(
  tx: Writer,
  actingUser: User,
  value: string,
  text: string,
): ChannelFolder {
  const name = checkedName(value);
  const description = checkedDescription(text);
  checkFree(tx, name);
  if (tx.channel_folders.count() >= FOLDERS_MAX) throw tooMany("channel folders", FOLDERS_MAX);

  const folder = {
    id: tx.next("channel_folders"),
    name,
    description,
    rendered_description: renderedDescription(tx, actingUser, description),
    date_created: tx.now,
    creator_id: actingUser.user_id,
    is_archived: false,
    order: lastPlace(tx.channel_folders.range()),
  };
  tx.channel_folders.put(folder);
  tx.emit(folderAdded(folder), { to: "realm" });
  return folder;
}

interface FolderChange {
  name?: string | undefined;
  description?: string | undefined;
  is_archived?: boolean | undefined;
}

function changeFolder(tx: Writer, actingUser: User, id: number, folderChange: FolderChange): void {
  const before = accessFolder(tx, id);
  const { is_archived = before.is_archived } = folderChange;
  if (is_archived && !before.is_archived && isInUse(tx, id)) throw channelFolderInUse();
  const name = folderChange.name === undefined ? before.name : checkedName(folderChange.name);
  const description = checkedDescription(folderChange.description ?? before.description);
  if (!is_archived) checkFree(tx, name, id);

  const data: Partial<ChannelFolder> = {
    ...(name !== before.name && { name }),
    ...(description !== before.description && {
      description,
      rendered_description: renderedDescription(tx, actingUser, description),
    }),
    ...(is_archived !== before.is_archived && { is_archived }),
  };
  if (Object.keys(data).length === 0) return;
  tx.channel_folders.put({ ...before, ...data });
  tx.emit(folderUpdated(id, data), { to: "realm" });
}

/** `order` has the ids of all folders. */
function orderFolders(tx: Writer, order: readonly number[]): void {
  const folders = foldersInOrder(tx);
  if (!isOrderOf(order, folders)) throw orderInvalid();

  if (folders.every(({ id }, index) => id === order[index])) return;
  for (const [index, id] of order.entries()) {
    tx.channel_folders.put({ ...tx.channel_folders.get(id)!, order: index });
  }
  tx.emit(foldersReordered(order), { to: "realm" });
}

export const getFolders = endpoint({
  summary: "List channel folders",
  tag: "Channels",
  params: { include_archived: defaulted(bool, false) },
  answer: Type.Object({ channel_folders: list(folderShape) }),
  run: ({ realm: { read } }, { include_archived }) => ({
    channel_folders: foldersInOrder(read).filter(
      (channelFolder) => include_archived || !channelFolder.is_archived,
    ),
  }),
});

export const postFolder = endpoint({
  summary: "Create a channel folder",
  tag: "Channels",
  params: { name: text, description: text },
  answer: Type.Object({ channel_folder_id: Type.Integer() }),
  run: ({ realm, user }, { name, description }) =>
    realm.write((tx) => ({ channel_folder_id: createFolder(tx, user, name, description).id })),
});

export const patchFolder = endpoint({
  summary: "Change a channel folder",
  tag: "Channels",
  params: {
    channel_folder_id: int,
    name: optional(text),
    description: optional(text),
    is_archived: optional(bool),
  },
  answer: nothing,
  run: async ({ realm, user }, { channel_folder_id, ...params }) => {
    await realm.write((tx) => changeFolder(tx, user, channel_folder_id, params));
    return {};
  },
});

export const patchFolderOrder = endpoint({
  summary: "Set the order of channel folders",
  tag: "Channels",
  params: { order: json(Type.Array(Type.Integer())) },
  answer: nothing,
  run: async ({ realm }, { order }) => {
    await realm.write((tx) => orderFolders(tx, order));
    return {};
  },
});

function checkedName(value: string): string {
  const name = value.trim();
  if (name === "") throw channelFolderNameEmpty();
  if ([...name].length > FOLDER_NAME_LENGTH_MAX) throw tooLong("name", FOLDER_NAME_LENGTH_MAX);
  const position = unprintableIndex(name);
  if (position > 0) throw channelFolderNameUnprintable(position);
  if (hasStackedMarks(name)) throw nameHasStackedMarks(MARKS_PER_CHARACTER_MAX).withField("name");
  return name;
}

/** Names of archived folders can be reused. `id`: the folder that is to get the name. */
function checkFree(reader: Reader, name: string, id?: number): void {
  const folded = name.toLowerCase();
  const open = [...reader.channel_folders.range()].filter((folder) => !folder.is_archived);
  const duplicate = open.find((folder) => folder.name.toLowerCase() === folded);
  if (duplicate && duplicate.id !== id) throw channelFolderNameTaken(name);
}

function checkedDescription(value: string): string {
  const description = value.trim();
  if ([...description].length > FOLDER_DESCRIPTION_LENGTH_MAX) {
    throw tooLong("description", FOLDER_DESCRIPTION_LENGTH_MAX);
  }
  return description;
}

const isInUse = (reader: Reader, id: number) =>
  [...reader.channels.range()].some((channel) => channel.folder_id === id);
