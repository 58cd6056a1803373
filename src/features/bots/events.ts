// Emits events about bots: administrators receive all, other users those about their own bots.
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Bot } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { isAdministrator } from "../rights/rules.ts";
import { botAdded, type BotViewer, defaultsOf } from "./defaults.ts";
import { botRemoved, botUpdated } from "./wire.ts";

type Default = keyof ReturnType<typeof defaultsOf>;

/** The bot's settings go to administrators and to its owner. */
export function emitBot(tx: Writer, { user_id }: User): void {
  emitToViewers(tx, user_id, (viewer) => botAdded(tx, viewer, user_id));
}

export function emitBotChange(tx: Writer, bot_id: number, change: Record<string, unknown>): void {
  emitToViewers(tx, bot_id, () => botUpdated(bot_id, change));
}

/** Emits an event with the changed defaults of a bot. */
export function emitBotDefaults(tx: Writer, bot: Bot, names: readonly Default[]): void {
  emitToViewers(tx, bot.user_id, (viewer) => defaultsChanged(tx, viewer, bot, names));
}

/** Must be called when a channel is renamed, because events name bots' default channels. */
export function emitDefaultsOfChannel(tx: Writer, stream_id: number): void {
  for (const bot of [...tx.bots.range()].sort((a, b) => a.user_id - b.user_id)) {
    const names = CHANNEL_DEFAULTS.filter((name) => bot[name] === stream_id);
    if (names.length > 0) emitBotDefaults(tx, bot, names);
  }
}

/** Must be called when channels become visible or invisible to users. */
export function emitDefaultsOfVisibleChannels(
  tx: Writer,
  user_ids: readonly number[],
  stream_ids: readonly number[],
): void {
  for (const user_id of user_ids) {
    for (const { user_id: bot_id } of tx.users.listBy("owner", user_id)) {
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
export function emitOthersBots(tx: Writer, before: User, after: User): void {
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
  const payload = defaultsOf(reader, viewer, bot);
  return botUpdated(bot.user_id, Object.fromEntries(names.map((name) => [name, payload[name]])));
}

function emitToViewers(
  tx: Writer,
  bot_id: number,
  eventFor: (viewer: BotViewer) => PlainEvent,
): void {
  tx.emit(eventFor(null), { to: "administrators" });
  const { bot_owner_id } = tx.users.get(bot_id)!;
  const owner = bot_owner_id === null ? undefined : tx.users.get(bot_owner_id);
  if (!owner || isAdministrator(owner)) return;
  tx.emit(eventFor(owner), { to: "people", user_ids: [owner.user_id] });
}
