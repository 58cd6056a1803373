// Tells of bots: administrators hear of all, everyone else of their own.
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Bot } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { isAdministrator } from "../rights/rules.ts";
import { botAdded, type BotViewer, defaultsOf } from "./defaults.ts";
import { botRemoved, botUpdated } from "./wire.ts";

type Default = keyof ReturnType<typeof defaultsOf>;

/** The bot's settings go to administrators and to its owner. */
export function tellOfBot(tx: Writer, { user_id }: User): void {
  tell(tx, user_id, (viewer) => botAdded(tx, viewer, user_id));
}

export function tellOfBotChange(tx: Writer, bot_id: number, change: Record<string, unknown>): void {
  tell(tx, bot_id, () => botUpdated(bot_id, change));
}

/** Emits an event with the changed defaults of a bot. */
export function tellOfDefaults(tx: Writer, bot: Bot, names: readonly Default[]): void {
  tell(tx, bot.user_id, (viewer) => defaultsChanged(tx, viewer, bot, names));
}

/** The channel has another name now, and bots' defaults are told by name. */
export function tellOfDefaultsIn(tx: Writer, stream_id: number): void {
  for (const bot of [...tx.bots.range()].sort((a, b) => a.user_id - b.user_id)) {
    const names = CHANNEL_DEFAULTS.filter((name) => bot[name] === stream_id);
    if (names.length > 0) tellOfDefaults(tx, bot, names);
  }
}

/** To be called when these channels came in sight of these people, or went out of it. */
export function tellOfDefaultsInSight(
  tx: Writer,
  user_ids: readonly number[],
  stream_ids: readonly number[],
): void {
  for (const user_id of user_ids) {
    for (const { user_id: bot_id } of tx.users.by("owner", user_id)) {
      const bot = tx.bots.get(bot_id);
      const names = CHANNEL_DEFAULTS.filter((name) => stream_ids.includes(bot?.[name] ?? 0));
      if (!bot || names.length === 0) continue;
      const event = defaultsChanged(tx, tx.users.get(user_id)!, bot, names);
      tx.emit(event, { to: "people", user_ids: [user_id] });
    }
  }
}

const CHANNEL_DEFAULTS = ["default_sending_stream", "default_events_register_stream"] as const;

/** New administrators receive events about the bots of others; former ones lose these bots. */
export function tellOfOthersBots(tx: Writer, before: User, after: User): void {
  if (isAdministrator(before) === isAdministrator(after)) return;
  const audience = { to: "people", user_ids: [after.user_id] } as const;
  for (const { user_id } of othersBots(tx, after.user_id)) {
    tx.emit(isAdministrator(after) ? botAdded(tx, null, user_id) : botRemoved(user_id), audience);
  }
}

function othersBots(reader: Reader, user_id: number): User[] {
  const bots = [...reader.users.range()].filter(
    (user) => user.bot_type !== null && !user.is_system_bot && user.bot_owner_id !== user_id,
  );
  return bots.sort((a, b) => a.user_id - b.user_id);
}

function defaultsChanged(
  reader: Reader,
  viewer: BotViewer,
  bot: Bot,
  names: readonly Default[],
): PlainEvent {
  const told = defaultsOf(reader, viewer, bot);
  return botUpdated(bot.user_id, Object.fromEntries(names.map((name) => [name, told[name]])));
}

function tell(tx: Writer, bot_id: number, eventFor: (viewer: BotViewer) => PlainEvent): void {
  tx.emit(eventFor(null), { to: "administrators" });
  const { bot_owner_id } = tx.users.get(bot_id)!;
  const owner = bot_owner_id === null ? undefined : tx.users.get(bot_owner_id);
  if (!owner || isAdministrator(owner)) return;
  tx.emit(eventFor(owner), { to: "people", user_ids: [owner.user_id] });
}
