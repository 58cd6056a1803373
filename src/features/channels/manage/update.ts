// Changes a channel's name, description, message retention and topic policy.
import {
  channelNameUnchanged,
  channelNotFound,
  channelRenamedToTaken,
  defaultChannelPrivate,
  defaultChannelsNotAllowed,
  insufficientPermission,
  namedTopicsExist,
  privateChannelMadeDefault,
} from "../../../contract/errors/channels.ts";
import { ownerRequired } from "../../../contract/errors/people.ts";
import { nothing } from "../../../contract/shapes/value-types.ts";
import { endpoint, int } from "../../../endpoint.ts";
import type { Writer } from "../../../realm.ts";
import type { Channel, User } from "../../../schema/records.ts";
import { emitDefaultsOfChannel } from "../../bots/events.ts";
import { accessUnarchivedFolder } from "../../folders/access.ts";
import { renderedDescription } from "../../messages/content/description.ts";
import { EMPTY_TOPIC_NAME } from "../../messages/rules.ts";
import { isAdministrator, isOwner } from "../../rights/rules.ts";
import { emitMutedOfChannel } from "../../topics/actions.ts";
import { accessChannel, accessToAdminister, canSetTopicsPolicy } from "../access.ts";
import { descriptionChange, renaming, retentionChange, topicsPolicy } from "../bot-messages.ts";
import { checkedNewName } from "../names.ts";
import { foldedName } from "../rules.ts";
import { defaultChannelIds, defaultChannelsChanged } from "../wire.ts";
import { changeProperty, postChannelNotice } from "./change.ts";
import { checkedDescription } from "./new-channel.ts";

export function renameChannel(tx: Writer, user: User, stream_id: number, value: string): void {
  const channel = accessToAdminister(tx, user, stream_id);
  const name = checkedNewName(value);
  if (name === channel.name) throw channelNameUnchanged();
  const sameName = tx.channels.listBy("name", foldedName(name));
  if (sameName.some((channel) => channel.stream_id !== stream_id)) throw channelRenamedToTaken();

  changeProperty(tx, channel, "name", name);
  emitDefaultsOfChannel(tx, stream_id);
  emitMutedOfChannel(tx, channel);
  postChannelNotice(tx, stream_id, renaming(user, channel.name, name));
}

export function describeChannel(tx: Writer, user: User, stream_id: number, value: string): void {
  const channel = accessToAdminister(tx, user, stream_id);
  const description = checkedDescription(value);
  if (description === channel.description) return;

  const rendered_description = renderedDescription(tx, user, description);
  changeProperty(tx, channel, "description", description, { rendered_description });
  postChannelNotice(tx, stream_id, descriptionChange(user, channel.description, description));
}

/** Sets message retention as `Channel.message_retention_days` defines it. */
export function setMessageRetention(
  tx: Writer,
  user: User,
  stream_id: number,
  days: Channel["message_retention_days"],
): void {
  const channel = accessToAdminister(tx, user, stream_id);
  if (!isOwner(user)) throw ownerRequired();

  if (channel.message_retention_days === days) return;
  changeProperty(tx, channel, "message_retention_days", days);
  postChannelNotice(tx, stream_id, retentionChange(user, channel.message_retention_days, days));
}

export function setTopicsPolicy(
  tx: Writer,
  user: User,
  stream_id: number,
  policy: Channel["topics_policy"],
): void {
  const channel = accessToAdminister(tx, user, stream_id);
  if (policy === channel.topics_policy) return;
  if (policy !== "inherit" && !canSetTopicsPolicy(tx, user)) throw insufficientPermission();
  if (policy === "empty_topic_only" && hasNamedTopic(tx, stream_id)) {
    throw namedTopicsExist(EMPTY_TOPIC_NAME);
  }

  changeProperty(tx, channel, "topics_policy", policy);
  postChannelNotice(tx, stream_id, topicsPolicy(user, channel.topics_policy, policy));
}

/** null removes the channel from its folder. */
export function putInFolder(
  tx: Writer,
  user: User,
  stream_id: number,
  folder_id: number | null,
): void {
  const channel = accessToAdminister(tx, user, stream_id);
  if (folder_id === channel.folder_id) return;
  if (folder_id !== null) accessUnarchivedFolder(tx, folder_id);

  changeProperty(tx, channel, "folder_id", folder_id);
}

/** Adds the channel to the default channels for new users, or removes it. */
export function setDefault(tx: Writer, user: User, stream_id: number, is_default: boolean): void {
  const channel = accessToAdminister(tx, user, stream_id);
  if (!isAdministrator(user)) throw defaultChannelsNotAllowed();
  if (is_default && channel.invite_only) throw defaultChannelPrivate();
  if (is_default && channel.is_archived) throw channelNotFound();

  markDefault(tx, channel, is_default);
}

export function markDefault(tx: Writer, channel: Channel, is_default: boolean): void {
  if (channel.is_default === is_default) return;
  tx.channels.put({ ...channel, is_default });
  tx.emit(defaultChannelsChanged(defaultChannelIds(tx)), { to: "members" });
}

export const postDefaultChannel = endpoint({
  summary: "Add a default channel for new users",
  tag: "Channels",
  params: { stream_id: int },
  answer: nothing,
  run: async ({ realm, user }, { stream_id }) => {
    await realm.write((tx) => {
      const channel = accessChannel(tx, user, stream_id);
      if (channel.invite_only) throw privateChannelMadeDefault();
      setDefault(tx, user, stream_id, true);
    });
    return {};
  },
});

export const deleteDefaultChannel = endpoint({
  summary: "Remove a default channel for new users",
  tag: "Channels",
  params: { stream_id: int },
  answer: nothing,
  run: async ({ realm, user }, { stream_id }) => {
    await realm.write((tx) => setDefault(tx, user, stream_id, false));
    return {};
  },
});

function hasNamedTopic(tx: Writer, stream_id: number): boolean {
  for (const topic of tx.topics.scanIndex("latest", [stream_id]))
    if (topic.name !== "") return true;
  return false;
}
