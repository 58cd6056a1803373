// What the server itself says in channels and to people, by the mouth of the notification bot.
import type { Reader, Writer } from "../../../realm.ts";
import type { Channel, User } from "../../../schema/records.ts";
import type { Composed } from "../content/compose.ts";
import { sendMessage, type SendOptions } from "./send.ts";

const NOTIFICATION_BOT = "Notification Bot";

/** Gives the message's id. The topic gives way in a channel that has only the empty one. */
export function sendNoticeToChannel(
  tx: Writer,
  { stream_id, topics_policy }: Channel,
  topic: string,
  content: string | Composed,
  options: SendOptions = {},
): number {
  const recipient = { stream_id, topic: topics_policy === "empty_topic_only" ? "" : topic };
  return sendMessage(tx, notificationBot(tx), recipient, content, options).id;
}

/** One conversation of the bot with all of them; people who are gone hear nothing. */
export function sendNoticeToPeople(
  tx: Writer,
  user_ids: readonly number[],
  content: string | Composed,
  options: SendOptions = {},
): number | undefined {
  const here = user_ids.filter((id) => tx.users.get(id)?.is_active);
  if (here.length === 0) return undefined;
  return sendMessage(tx, notificationBot(tx), { user_ids: here }, content, options).id;
}

export function notificationBot(reader: Reader): User {
  return reader.users
    .by("name", NOTIFICATION_BOT.toLowerCase())
    .find((user) => user.is_system_bot)!;
}
