// What the notification bot says of channels.
import type { Channel, User } from "../../records.ts";
import type { Privacy } from "./rules.ts";

export const NEW_CHANNELS_TOPIC = "new channels";
export const CHANNEL_EVENTS_TOPIC = "channel events";

type Named = Pick<Channel, "name">;

/** A mention that rings no bell. */
export const quietly = ({ full_name, user_id }: User) => `@_**${full_name}|${user_id}**`;

export const announcement = (by: User, channels: readonly Named[]) =>
  channels.length === 1
    ? `${quietly(by)} made a new channel: ${listed(channels)}.`
    : `${quietly(by)} made new channels: ${listed(channels)}.`;

export const creation = (by: User, channel: Channel) =>
  `${quietly(by)} made this ${kindOf(channel)} channel. ${described(channel.description)}`;

export const subscription = (by: User, channels: readonly Named[]) =>
  channels.length === 1
    ? `${quietly(by)} subscribed you to ${listed(channels)}.`
    : `${quietly(by)} subscribed you to these channels:\n${channels.map(itemOf).join("\n")}`;

export const renaming = (by: User, before: string, after: string) =>
  `${quietly(by)} renamed this channel from **${before}** to **${after}**.`;

export const redescription = (by: User, before: string, after: string) =>
  `${quietly(by)} described this channel anew.\n\nBefore:${quoted(before)}\nNow:${quoted(after)}`;

export const privacyChange = (by: User, before: Privacy, after: Privacy) =>
  `${quietly(by)} made this ${kindOf(before)} channel a ${kindOf(after)} one.`;

export const archiving = (by: User) => `${quietly(by)} archived this channel.`;
export const reviving = (by: User) => `${quietly(by)} took this channel out of the archive.`;

const linkTo = ({ name }: Named) => `#**${name}**`;
const itemOf = (channel: Named) => `* ${linkTo(channel)}`;
const listed = (channels: readonly Named[]) => channels.map(linkTo).join(", ");

function kindOf(channel: Privacy): string {
  if (channel.is_web_public) return "web-public";
  if (!channel.invite_only) return "public";
  return channel.history_public_to_subscribers ? "private" : "private, protected";
}

const described = (description: string) =>
  description === "" ? "It has no description yet." : `It is for:\n${quoted(description)}`;

const quoted = (text: string) => `\n\`\`\` quote\n${text === "" ? "*nothing*" : text}\n\`\`\``;
