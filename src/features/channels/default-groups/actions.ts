// Default channel groups: sets of channels that new users can choose together.
import { nameHasStackedMarks } from "../../../contract/errors/people.ts";
import { hasStackedMarks, MARKS_PER_CHARACTER_MAX } from "../../../text/input/combining-marks.ts";
import Type from "typebox";
import {
  channelAlreadyInGroup,
  channelGroupNameInvalid,
  channelGroupNameTaken,
  channelGroupNameTooLong,
  channelGroupNameUnchanged,
  channelGroupNotFound,
  channelGroupOfDefault,
  channelGroupOperationInvalid,
  channelGroupUnchanged,
  channelNotInGroup,
  privateChannelMadeDefault,
  tooLong,
  tooMany,
} from "../../../contract/errors/channels.ts";
import { nothing } from "../../../contract/shapes/value-types.ts";
import { defaulted, endpoint, int, json, optional, rawText, text } from "../../../endpoint.ts";
import type { Reader, Writer } from "../../../realm.ts";
import type { Channel, DefaultChannelGroup, User } from "../../../schema/records.ts";
import { accessContentByName } from "../access.ts";
import {
  CHANNEL_DESCRIPTION_LENGTH_MAX,
  CHANNEL_NAME_LENGTH_MAX,
  DEFAULT_GROUPS_MAX,
  foldedName,
  unprintableIndex,
} from "../rules.ts";
import { defaultGroupObjects, defaultGroupsChanged } from "../wire.ts";

type GroupFields = Pick<DefaultChannelGroup, "name" | "description">;

function createDefaultGroup(
  tx: Writer,
  actingUser: User,
  input: GroupFields,
  channel_names: readonly string[],
): number {
  const name = checkedName(tx, input.name);
  checkDescription(input.description);
  const channels = channelsNamed(tx, actingUser, channel_names);
  for (const channel of channels) checkCanJoin(channel, name);
  const count = tx.default_channel_groups.count();
  if (count >= DEFAULT_GROUPS_MAX) throw tooMany("default channel groups", DEFAULT_GROUPS_MAX);

  const id = tx.next("default_channel_groups");
  putGroup(tx, { id, name, description: input.description, stream_ids: idsOf(channels) });
  return id;
}

function renameDefaultGroup(tx: Writer, id: number, requested: Partial<GroupFields>): void {
  const group = accessGroup(tx, id);
  if (requested.name === undefined && requested.description === undefined)
    throw channelGroupUnchanged();
  if (requested.name?.trim() === group.name) throw channelGroupNameUnchanged(group.name);
  const name = requested.name === undefined ? group.name : checkedName(tx, requested.name, id);
  const { description = group.description } = requested;
  checkDescription(description);

  if (name === group.name && description === group.description) return;
  putGroup(tx, { ...group, name, description });
}

function addToDefaultGroup(
  tx: Writer,
  actingUser: User,
  id: number,
  names: readonly string[],
): void {
  const group = accessGroup(tx, id);
  const channels = channelsNamed(tx, actingUser, names);
  for (const channel of channels) {
    checkCanJoin(channel, group.name);
    if (!group.stream_ids.includes(channel.stream_id)) continue;
    throw channelAlreadyInGroup(channel.name, group.name);
  }

  if (channels.length === 0) return;
  putGroup(tx, { ...group, stream_ids: [...group.stream_ids, ...idsOf(channels)] });
}

function removeFromDefaultGroup(
  tx: Writer,
  actingUser: User,
  id: number,
  names: readonly string[],
): void {
  const group = accessGroup(tx, id);
  const channels = channelsNamed(tx, actingUser, names);
  const absent = channels.find(({ stream_id }) => !group.stream_ids.includes(stream_id));
  if (absent) throw channelNotInGroup(absent.name, group.name);

  if (channels.length === 0) return;
  const removedIds = idsOf(channels);
  putGroup(tx, { ...group, stream_ids: group.stream_ids.filter((id) => !removedIds.includes(id)) });
}

function deleteDefaultGroup(tx: Writer, id: number): void {
  accessGroup(tx, id);

  tx.default_channel_groups.delete(id);
  emitDefaultGroups(tx);
}

/** Removes a channel from all groups. */
export function dropFromDefaultGroups(tx: Writer, stream_id: number): void {
  const groups = [...tx.default_channel_groups.range()].filter(groupsWithChannel(stream_id));
  for (const group of groups) {
    const stream_ids = group.stream_ids.filter((other) => other !== stream_id);
    tx.default_channel_groups.put({ ...group, stream_ids });
  }
  if (groups.length > 0) emitDefaultGroups(tx);
}

export function isInDefaultGroup(reader: Reader, stream_id: number): boolean {
  return [...reader.default_channel_groups.range()].some(groupsWithChannel(stream_id));
}

export const postDefaultGroup = endpoint({
  summary: "Create a default channel group",
  tag: "Channels",
  params: {
    group_name: text,
    description: defaulted(text, ""),
    stream_names: json(Type.Array(Type.String())),
  },
  answer: Type.Object({ id: Type.Integer() }),
  run: ({ realm, user }, { group_name, description, stream_names }) =>
    realm.write((tx) => ({
      id: createDefaultGroup(tx, user, { name: group_name, description }, stream_names),
    })),
});

export const patchDefaultGroup = endpoint({
  summary: "Rename or describe a default channel group",
  tag: "Channels",
  params: { group_id: int, new_group_name: optional(text), new_description: optional(text) },
  answer: nothing,
  run: async ({ realm }, { group_id, new_group_name, new_description }) => {
    const params = {
      ...(new_group_name !== undefined && { name: new_group_name }),
      ...(new_description !== undefined && { description: new_description }),
    };
    await realm.write((tx) => renameDefaultGroup(tx, group_id, params));
    return {};
  },
});

const OPERATIONS = new Map([
  ["add", addToDefaultGroup],
  ["remove", removeFromDefaultGroup],
]);

export const patchDefaultGroupChannels = endpoint({
  summary: "Add or remove channels of a default channel group",
  tag: "Channels",
  params: { group_id: int, op: rawText, stream_names: json(Type.Array(Type.String())) },
  answer: nothing,
  run: async ({ realm, user }, { group_id, op, stream_names }) => {
    const operate = OPERATIONS.get(op);
    if (!operate) throw channelGroupOperationInvalid();
    await realm.write((tx) => operate(tx, user, group_id, stream_names));
    return {};
  },
});

export const removeDefaultGroup = endpoint({
  summary: "Delete a default channel group",
  tag: "Channels",
  params: { group_id: int },
  answer: nothing,
  run: async ({ realm }, { group_id }) => {
    await realm.write((tx) => deleteDefaultGroup(tx, group_id));
    return {};
  },
});

function putGroup(tx: Writer, group: DefaultChannelGroup): void {
  const stream_ids = group.stream_ids.toSorted((a, b) => a - b);
  tx.default_channel_groups.put({ ...group, stream_ids });
  emitDefaultGroups(tx);
}

function emitDefaultGroups(tx: Writer): void {
  tx.emit(defaultGroupsChanged(defaultGroupObjects(tx)), { to: "members" });
}

function accessGroup(reader: Reader, id: number): DefaultChannelGroup {
  const group = reader.default_channel_groups.get(id);
  if (!group) throw channelGroupNotFound(id);
  return group;
}

/** Each channel once. */
function channelsNamed(reader: Reader, actingUser: User, names: readonly string[]): Channel[] {
  const unique = new Set(names.map((name) => foldedName(name.trim())));
  return [...unique].map((name) => accessContentByName(reader, actingUser, name));
}

function checkCanJoin(channel: Channel, group_name: string): void {
  if (channel.is_default) throw channelGroupOfDefault(channel.name, group_name);
  if (channel.invite_only) throw privateChannelMadeDefault();
}

/** `id`: the group that is renamed, which may already have the name. */
function checkedName(reader: Reader, value: string, id?: number): string {
  const name = value.trim();
  if (name === "" || unprintableIndex(name) > 0) throw channelGroupNameInvalid(name);
  if ([...name].length > CHANNEL_NAME_LENGTH_MAX) {
    throw channelGroupNameTooLong(CHANNEL_NAME_LENGTH_MAX);
  }
  if (hasStackedMarks(name)) throw nameHasStackedMarks(MARKS_PER_CHARACTER_MAX).withField("name");
  const groups = [...reader.default_channel_groups.range()];
  const duplicate = groups.find((group) => foldedName(group.name) === foldedName(name));
  if (duplicate && duplicate.id !== id) throw channelGroupNameTaken(name);
  return name;
}

function checkDescription(description: string): void {
  if ([...description].length <= CHANNEL_DESCRIPTION_LENGTH_MAX) return;
  throw tooLong("description", CHANNEL_DESCRIPTION_LENGTH_MAX);
}

const idsOf = (channels: readonly Channel[]) => channels.map(({ stream_id }) => stream_id);

const groupsWithChannel =
  (stream_id: number) =>
  ({ stream_ids }: DefaultChannelGroup) =>
    stream_ids.includes(stream_id);
