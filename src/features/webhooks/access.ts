// Which bots are told of a message by an outgoing webhook.
import { OUTGOING_WEBHOOK_BOT } from "../../contract/roles.ts";
import type { Reader } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import { botOf } from "../bots/wire.ts";
import { canReadMessage } from "../messages/access.ts";
import { canSeeUser } from "../people/access.ts";
import type { Called } from "./wire.ts";

/** undefined: it is no such bot, or may not read the message. */
export function calledBy(reader: Reader, message: Message, user_id: number): Called | undefined {
  const bot = reader.users.get(user_id);
  if (bot?.bot_type !== OUTGOING_WEBHOOK_BOT || !bot.is_active) return undefined;
  const { service } = botOf(reader, user_id);
  if (!service || !canReadMessage(reader, bot, message)) return undefined;
  return { bot, service, message, sees: (user) => canSeeUser(reader, bot, user) };
}
