// Tells of bots: administrators hear of all, everyone else of their own.
import type { Reader, Writer } from "../../realm.ts";
import { isAdministrator } from "../users/rules.ts";
import type { PlainEvent } from "../../events.ts";
import type { User } from "../../records.ts";
import { botAdded, botRemoved, botUpdated, defaultsOf } from "./wire.ts";

/** The bot's settings go to administrators and to its owner. */
export function tellOfBot(tx: Writer, { user_id }: User): void {
  tell(tx, user_id, botAdded(tx, user_id));
}

export function tellOfBotChange(tx: Writer, bot_id: number, change: Record<string, unknown>): void {
  tell(tx, bot_id, botUpdated(bot_id, change));
}

/** The channel has another name now, and bots' defaults are told by name. */
export function tellOfDefaultsIn(tx: Writer, stream_id: number): void {
  for (const bot of [...tx.bots.range()].sort((a, b) => a.user_id - b.user_id)) {
    const names = CHANNEL_DEFAULTS.filter((name) => bot[name] === stream_id);
    if (names.length === 0) continue;
    const told = defaultsOf(tx, bot);
    const change = Object.fromEntries(names.map((name) => [name, told[name]]));
    tellOfBotChange(tx, bot.user_id, change);
  }
}

const CHANNEL_DEFAULTS = ["default_sending_stream", "default_events_register_stream"] as const;

/** Who becomes an administrator hears of the bots of others, who ceases to be one loses them. */
export function tellOfOthersBots(tx: Writer, before: User, after: User): void {
  if (isAdministrator(before) === isAdministrator(after)) return;
  const audience = { to: "people", user_ids: [after.user_id] } as const;
  for (const { user_id } of othersBots(tx, after.user_id)) {
    tx.emit(isAdministrator(after) ? botAdded(tx, user_id) : botRemoved(user_id), audience);
  }
}

function othersBots(reader: Reader, user_id: number): User[] {
  const bots = [...reader.users.range()].filter(
    (user) => user.bot_type !== null && !user.is_system_bot && user.bot_owner_id !== user_id,
  );
  return bots.sort((a, b) => a.user_id - b.user_id);
}

function tell(tx: Writer, bot_id: number, event: PlainEvent): void {
  tx.emit(event, { to: "administrators" });
  const { bot_owner_id } = tx.users.get(bot_id)!;
  const owner = bot_owner_id === null ? undefined : tx.users.get(bot_owner_id);
  if (!owner || isAdministrator(owner)) return;
  tx.emit(event, { to: "people", user_ids: [owner.user_id] });
}
