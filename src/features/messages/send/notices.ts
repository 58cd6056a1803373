// Sends notices of the server to channels and users, as the notification bot.
import type { Reader, Writer } from "../../../realm.ts";
import type { Channel, User } from "../../../schema/records.ts";
import type { ComposedMessage } from "../content/compose.ts";
import { sendMessage, type SendOptions } from "./send.ts";

const NOTIFICATION_BOT = "Notification Bot";

/** Returns the message's id. In a channel with empty topics only, the topic is dropped. */
export function sendNoticeToChannel(
  tx: Writer,
  { stream_id, topics_policy }: Channel,
  topic: string,
  content: string | ComposedMessage,
  options: SendOptions = {},
): number {
  const recipient = { stream_id, topic: topics_policy === "empty_topic_only" ? "" : topic };
  return sendMessage(tx, notificationBot(tx), recipient, content, options).id;
}

/** Sends one direct message to all of them; deactivated users are left out. */
export function sendNoticeToPeople(
  tx: Writer,
  user_ids: readonly number[],
  content: string | ComposedMessage,
  options: SendOptions = {},
): number | undefined {
  const activeIds = user_ids.filter((id) => tx.users.get(id)?.is_active);
  if (activeIds.length === 0) return undefined;
  return sendMessage(tx, notificationBot(tx), { user_ids: activeIds }, content, options).id;
}

export function notificationBot(reader: Reader): User {
  return reader.users
    .listBy("name", NOTIFICATION_BOT.toLowerCase())
    .find((user) => user.is_system_bot)!;
}
