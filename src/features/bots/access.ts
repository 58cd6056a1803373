// Loads a bot for users who may change it, and checks who may create bots.
import { botNotFound, insufficientPermission, tooMany } from "../../contract/errors/channels.ts";
import { botNameTaken, ownerRequired } from "../../contract/errors/people.ts";
import { INCOMING_WEBHOOK_BOT } from "../../contract/roles.ts";
import type { Reader } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { normalized } from "../../text/normalize.ts";
import { hasPermission } from "../rights/access.ts";
import { isAdministrator, isBot, isOwner } from "../rights/rules.ts";
import { BOTS_PER_OWNER_MAX } from "./rules.ts";

/** Returns the bot, active or not, if the user owns it or is an administrator. */
export function accessBot(reader: Reader, user: User, bot_id: number): User {
  const bot = reader.users.get(bot_id);
  if (!bot || !isBot(bot) || bot.is_system_bot) throw botNotFound();
  if (bot.bot_owner_id === user.user_id) return bot;
  if (!isAdministrator(user)) throw insufficientPermission();
  // Anyone with the bot's key has its rights.
  const isTrusted = isOwner(bot) || bot.can_create_users || bot.can_change_user_emails;
  if (isTrusted && !isOwner(user)) throw ownerRequired();
  return bot;
}

export function checkCanMakeBots(reader: Reader, user: User, bot_type: number | null): void {
  if (hasPermission(reader, user, "can_create_bots_group")) return;
  const isWriteOnly = bot_type === INCOMING_WEBHOOK_BOT;
  if (isWriteOnly && hasPermission(reader, user, "can_create_write_only_bots_group")) return;
  throw insufficientPermission();
}

/** Checks the limit before one more bot is created. */
export function checkCanHaveBots(reader: Reader, { user_id }: User): void {
  const count = reader.users.countBy("owner", user_id);
  if (count >= BOTS_PER_OWNER_MAX) throw tooMany("bots of one owner", BOTS_PER_OWNER_MAX);
}

/**
 * A bot must not have the name of another active account. `user_id`: the account that gets the
 * name.
 */
export function checkBotName(reader: Reader, full_name: string, user_id?: number): void {
  if (isNameTaken(reader, full_name, user_id)) throw botNameTaken();
}

export function isNameTaken(reader: Reader, value: string, user_id?: number): boolean {
  const full_name = normalized(value.trim(), "NFC");
  const sameName = reader.users.listBy("name", full_name.toLowerCase());
  return sameName.some(
    (other) => other.is_active && other.full_name === full_name && other.user_id !== user_id,
  );
}
