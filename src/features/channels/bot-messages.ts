// Messages of the notification bot about channels.
import type { Reader } from "../../realm.ts";
import type { Channel, GroupSetting, User } from "../../schema/records.ts";
import { hasMarkup, literal } from "../../text/markdown/inline/literal.ts";
import { type Privacy, RETENTION_FOREVER } from "./rules.ts";

export const NEW_CHANNELS_TOPIC = "new channels";
export const CHANNEL_EVENTS_TOPIC = "channel events";

type NamedChannel = Pick<Channel, "name">;
type Days = Channel["message_retention_days"];
type Policy = Channel["topics_policy"];

/** A mention without a notification. */
export const silentMention = ({ full_name, user_id }: User) => `@_**${full_name}|${user_id}**`;

export const announcement = (actingUser: User, channels: readonly NamedChannel[]) =>
  channels.length === 1
    ? `${silentMention(actingUser)} created a new channel: ${joinLinks(channels)}.`
    : `${silentMention(actingUser)} created new channels: ${joinLinks(channels)}.`;

export const creation = (actingUser: User, channel: Channel) =>
  `${silentMention(actingUser)} created this ${kindOf(channel)} channel. ` +
  described(channel.description);

export const subscription = (actingUser: User, channels: readonly NamedChannel[]) =>
  channels.length === 1
    ? `${silentMention(actingUser)} subscribed you to ${joinLinks(channels)}.`
    : `${silentMention(actingUser)} subscribed you to these channels:\n` +
      channels.map(itemOf).join("\n");

export const renaming = (actingUser: User, before: string, after: string) =>
  `${silentMention(actingUser)} renamed this channel ` +
  `from **${literal(before)}** to **${literal(after)}**.`;

export const descriptionChange = (actingUser: User, before: string, after: string) =>
  `${silentMention(actingUser)} changed the description of this channel.\n` +
  `\nBefore:${quoteBlock(before)}\nNow:${quoteBlock(after)}`;

export const privacyChange = (actingUser: User, before: Privacy, after: Privacy) =>
  `${silentMention(actingUser)} changed this channel from ${kindOf(before)} to ${kindOf(after)}.`;

export const retentionChange = (actingUser: User, before: Days, after: Days) =>
  `${silentMention(actingUser)} changed the message retention of this channel, ` +
  `${fromTo(period(before), period(after))}.`;

export const postPolicyChange = (actingUser: User, before: string, after: string) =>
  `${silentMention(actingUser)} changed who can post here, ${fromTo(before, after)}.`;

export const topicsPolicy = (actingUser: User, before: Policy, after: Policy) =>
  `${silentMention(actingUser)} changed the topic policy of this channel, ` +
  `${fromTo(POLICIES[before], POLICIES[after])}.`;

export const archiving = (actingUser: User) =>
  `${silentMention(actingUser)} archived this channel.`;
export const restoring = (actingUser: User) =>
  `${silentMention(actingUser)} unarchived this channel.`;

const fromTo = (before: string, after: string) => `from *${before}* to *${after}*`;

function period(days: Days): string {
  if (days === null) return "as in the organization";
  if (days === RETENTION_FOREVER) return "forever";
  return days === 1 ? "1 day" : `${days} days`;
}

const POLICIES: Readonly<Record<Policy, string>> = {
  inherit: "as elsewhere",
  allow_empty_topic: "with a name or without",
  disable_empty_topic: "with a name",
  empty_topic_only: "without a name",
};

/** Names groups, but only counts users, because not every reader may see them. */
export function permittedUsersText(reader: Reader, setting: GroupSetting): string {
  if (typeof setting === "number") {
    const { name, description, is_system_group } = reader.groups.get(setting)!;
    return is_system_group ? description : literal(name);
  }
  const people = setting.direct_members.filter((id) => reader.users.get(id)?.is_active);
  const groups = setting.direct_subgroups.map((id) => permittedUsersText(reader, id));
  const count = people.length === 1 ? "1 person" : `${people.length} users`;
  return [...groups, ...(people.length > 0 ? [count] : [])].join(", ");
}

/** A link, unless the name has markup: mentions in it would notify without any permission. */
export const channelLink = ({ name }: NamedChannel) =>
  hasMarkup(name) ? `#${literal(name)}` : `#**${name}**`;
const itemOf = (channel: NamedChannel) => `* ${channelLink(channel)}`;
const joinLinks = (channels: readonly NamedChannel[]) => channels.map(channelLink).join(", ");

function kindOf(channel: Privacy): string {
  if (channel.is_web_public) return "web-public";
  if (!channel.invite_only) return "public";
  return channel.history_public_to_subscribers ? "private" : "private, protected";
}

const described = (description: string) =>
  description === "" ? "It has no description yet." : `Description:\n${quoteBlock(description)}`;

const quoteBlock = (text: string) => `\n\`\`\` quote\n${text === "" ? "*nothing*" : text}\n\`\`\``;
