// The conversation and sender of a message in notifications.
import type { Realm } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { directUrl, narrowUrl } from "../../text/channel-fragment.ts";
import { type Excerpt, excerptOf } from "../../text/mail-text.ts";
import { subjectOf } from "../messages/spelling-wire.ts";
import { renderedOf, shownTopic } from "../messages/wire.ts";
import { canSeeUser } from "../people/access.ts";
import { userSetting } from "../settings/rules.ts";
import { userTranslator } from "../i18n/negotiate-language.ts";

interface NotificationPlace {
  title: string;
  /** Relative to the URL of the realm. */
  path: string;
}

export function locationOf({ read }: Realm, viewer: User, message: Message): NotificationPlace {
  const channel = read.channels.get(message.stream_id);
  if (channel) {
    const name = subjectOf(read, message);
    const title = `#${channel.name} > ${shownTopic(name, false)}`;
    return { title, path: narrowUrl(channel, name, { near: message.id }) };
  }
  const { user_ids } = read.conversations.get(message.recipient_id)!;
  const others = user_ids.filter((id) => id !== viewer.user_id);
  const names = others.map((id) => nameFor({ read }, viewer, id)).join(", ");
  const title = userTranslator(viewer).translate(
    others.length > 1 ? "direct-group" : "direct-from",
    {
      names,
    },
  );
  return { title, path: directUrl(user_ids, message.id) };
}

/** Guests may read messages of users whom they cannot see. */
export function nameFor({ read }: Pick<Realm, "read">, viewer: User, user_id: number): string {
  const user = read.users.get(user_id)!;
  return canSeeUser(read, viewer, user)
    ? user.full_name
    : userTranslator(viewer).translate("unknown-user");
}

/** An excerpt of the message in the recipient's language and time zone. */
export function excerptFor(
  { read, config }: Realm,
  viewer: User,
  message: Message,
  hasAddresses: boolean,
): Excerpt {
  const translator = userTranslator(viewer);
  const zone = userSetting(viewer, "timezone") || "UTC";
  const formatTime = (time: number) => translator.formatTime(time, zone);
  const context = {
    hiddenText: translator.translate("content-hidden"),
    moment: formatTime,
    hasAddresses,
  };
  return excerptOf(renderedOf(read, message), config.url, context);
}

export const conversationOf = ({ stream_id, topic_id, recipient_id }: Message): string =>
  stream_id === 0 ? `direct ${recipient_id}` : `topic ${topic_id}`;
