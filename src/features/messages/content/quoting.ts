// A message as others write of it: its author, where it stands, what it says.
import type { Reader } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { Channel, User } from "../../../schema/records.ts";
import { directUrl, narrowUrl } from "../../../text/channel-fragment.ts";
import { silentMention } from "../../channels/bot-messages.ts";
import { canSeeUser } from "../../people/access.ts";
import { placeholder } from "../../people/wire.ts";
import { EMPTY_TOPIC_NAME, MESSAGE_LENGTH_MAX } from "../rules.ts";
import { subjectOf } from "../spelling-wire.ts";

/** What would be markup inside a link's words. */
const MARKUP = /[*`\\&[\]<>$]/g;
const CUT = "\n[message truncated]";

/** The author, as far as the viewer may know of them. */
export function authorOf(reader: Reader, viewer: User, { sender_id }: Message): string {
  const author = reader.users.get(sender_id)!;
  if (canSeeUser(reader, viewer, author)) return silentMention(author);
  return placeholder(reader, sender_id)["full_name"] as string;
}

/** The whole address. */
export function urlOf(reader: Reader, message: Message): string {
  const { id, stream_id, recipient_id } = message;
  const channel = reader.channels.get(stream_id);
  const path = channel
    ? narrowUrl(channel, subjectOf(reader, message), { near: id })
    : directUrl(reader.conversations.get(recipient_id)?.user_ids ?? [], id);
  return reader.config.url + path;
}

/** A link that names the place, whoever writes it. */
export function linkTo(reader: Reader, message: Message): string {
  const url = urlOf(reader, message);
  const channel = reader.channels.get(message.stream_id);
  if (!channel) return `[a direct message](${url})`;
  return `[${placeName(channel, subjectOf(reader, message))} @ 💬](${url})`;
}

/** A channel and a topic as the words of a link, whatever they hold. */
export function placeName(channel: Pick<Channel, "name">, topic: string): string {
  const plain = (name: string) => name.replace(MARKUP, (mark) => `&#${mark.charCodeAt(0)};`);
  return `#${plain(channel.name)} > ${plain(topic || EMPTY_TOPIC_NAME)}`;
}

/** What is in the fence is no markup of what is around it. */
export function fenced(tag: string, text: string): string {
  const runs = [...text.matchAll(/`{3,}|~{3,}/g)].map(([run]) => run.length + 1);
  const fence = "`".repeat(Math.max(3, ...runs));
  return `${fence}${tag}\n${text}\n${fence}`;
}

/** Puts the content into words around it, as much of it as a message has room for. */
export function around(content: string, words: (content: string) => string): string {
  const whole = words(content);
  const excess = [...whole].length - MESSAGE_LENGTH_MAX;
  if (excess <= 0) return whole;
  const characters = [...content];
  return words(characters.slice(0, characters.length - excess - CUT.length).join("") + CUT);
}
