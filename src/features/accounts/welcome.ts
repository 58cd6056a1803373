// Welcomes new users: announcement, welcome email and welcome message.
import type { Reader, Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { mail } from "../mail/actions.ts";
import { NOT_NOTIFYING } from "../messages/rules.ts";
import { sendNoticeToChannel } from "../messages/send/notices.ts";
import { sendMessage } from "../messages/send/send.ts";

const SIGN_UPS_TOPIC = "signups";

const WELCOME_BOT = "welcome bot";

/** Announces the user in the configured channel, and welcomes them by email and message. */
export function welcomeUser(tx: Writer, user: User, words: string | null): void {
  const channel = tx.channels.get(tx.settings.signup_announcements_stream_id);
  if (channel && !channel.is_archived) {
    sendNoticeToChannel(tx, channel, SIGN_UPS_TOPIC, `${mentionOf(user)} joined.`);
  }
  if (tx.settings.send_welcome_emails) mail(tx, { about: "welcome", user_id: user.user_id });
  sendWelcome(tx, user, welcomeText(tx));
  const welcome = words ?? tx.settings.welcome_message_custom_text;
  if (welcome.trim() !== "") sendWelcome(tx, user, welcome);
}

/** Returns the message's id. */
export function sendWelcome(tx: Writer, { user_id }: User, text: string): number {
  const bot = tx.users.listBy("name", WELCOME_BOT).find((other) => other.is_system_bot)!;
  return sendMessage(tx, bot, { user_ids: [user_id] }, text, { bits: NOT_NOTIFYING }).id;
}

/** The name is escaped, because it may contain markup and mentions. */
function welcomeText({ settings }: Reader): string {
  const name = settings.name.replace(/[*`_\\[\]<>@#:]/g, "");
  return (
    `Hello, and welcome to **${name}**!\n\n` +
    "Channels hold conversations, each under its topic: pick a channel, read what is being said, " +
    "and answer under the same topic, or begin a new one. This is a direct message, which only " +
    "you and I can read."
  );
}

export const mentionOf = ({ full_name, user_id }: User) => `@_**${full_name}|${user_id}**`;
