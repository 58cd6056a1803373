// Finds the bots that receive a message through an outgoing webhook.
import { OUTGOING_WEBHOOK_BOT } from "../../contract/roles.ts";
import type { Reader } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import type { Notifies } from "../../text/markdown/context.ts";
import { botOf } from "../bots/wire.ts";
import { channelAccessOf } from "../channels/access.ts";
import { canReadMessage } from "../messages/access.ts";
import { canSeeUser } from "../people/access.ts";
import { isAllowedBy } from "../rights/access.ts";
import type { CalledMessage } from "./wire.ts";

/**
 * Users whom the bot's webhook may notify. Undefined if it may notify everyone whom the bot may.
 */
export function usersNotifiedByHook(reader: Reader, { user_id }: User): Notifies | undefined {
  const { can_notify = "everyone" } = botOf(reader, user_id);
  if (can_notify === "everyone") return undefined;
  const groups = typeof can_notify === "number" ? [can_notify] : can_notify.direct_subgroups;
  return {
    user(id) {
      const user = reader.users.get(id);
      return user !== undefined && isAllowedBy(reader, user, can_notify);
    },
    group: (id) => groups.includes(id),
    stream_wildcard: false,
    topic_wildcard: false,
  };
}

/** undefined if the user is not such a bot or may not read the message. */
export function calledMessage(
  reader: Reader,
  message: Message,
  user_id: number,
): CalledMessage | undefined {
  const bot = reader.users.get(user_id);
  if (bot?.bot_type !== OUTGOING_WEBHOOK_BOT || !bot.is_active) return undefined;
  const { service } = botOf(reader, user_id);
  if (!service || !canReadMessage(reader, bot, message)) return undefined;
  const canSee = (user: User) => canSeeUser(reader, bot, user);
  return { bot, service, message, canSee, channelAccess: channelAccessOf(reader, bot) };
}
