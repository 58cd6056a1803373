// Quotes a message: its author, its link and its content.
import type { Reader } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { Channel, User } from "../../../schema/records.ts";
import { directUrl, narrowUrl } from "../../../text/channel-fragment.ts";
import { literal } from "../../../text/markdown/inline/literal.ts";
import { silentMention } from "../../channels/bot-messages.ts";
import { canSeeUser } from "../../people/access.ts";
import { placeholder } from "../../people/wire.ts";
import { EMPTY_TOPIC_NAME, MESSAGE_LENGTH_MAX } from "../rules.ts";
import { subjectOf } from "../spelling-wire.ts";

const TRUNCATION_NOTE = "\n[message truncated]";

/** Returns the author's name as far as the viewer may see it. */
export function authorOf(reader: Reader, viewer: User, { sender_id }: Message): string {
  const author = reader.users.get(sender_id)!;
  if (canSeeUser(reader, viewer, author)) return silentMention(author);
  return placeholder(reader, sender_id)["full_name"] as string;
}

/** Returns the absolute URL. */
export function urlOf(reader: Reader, message: Message): string {
  return reader.config.url + pathOf(reader, message);
}

/** Returns the URL relative to the organization. */
export function pathOf(reader: Reader, message: Message): string {
  const { id, stream_id, recipient_id } = message;
  const channel = reader.channels.get(stream_id);
  return channel
    ? narrowUrl(channel, subjectOf(reader, message), { near: id })
    : directUrl(reader.conversations.get(recipient_id)?.user_ids ?? [], id);
}

/** Returns a link that names the conversation, for any reader. */
export function linkTo(reader: Reader, message: Message): string {
  const url = urlOf(reader, message);
  const channel = reader.channels.get(message.stream_id);
  if (!channel) return `[a direct message](${url})`;
  return `[${topicLinkText(channel, subjectOf(reader, message))} @ 💬](${url})`;
}

/** Formats a channel and topic as the text of a link, with escaping. */
export function topicLinkText(channel: Pick<Channel, "name">, topic: string): string {
  return `${channelName(channel)} > ${literal(topic || EMPTY_TOPIC_NAME)}`;
}

/** Formats a channel as the text of a link, with escaping. */
export const channelName = ({ name }: Pick<Channel, "name">): string => `#${literal(name)}`;

/** Inserts the content into a text, truncated to the maximum message length. */
export function insertTruncated(content: string, words: (content: string) => string): string {
  const escaped = words(content);
  const excess = [...escaped].length - MESSAGE_LENGTH_MAX;
  if (excess <= 0) return escaped;
  const characters = [...content];
  return words(
    characters.slice(0, characters.length - excess - TRUNCATION_NOTE.length).join("") +
      TRUNCATION_NOTE,
  );
}
