// What owners and administrators see of bots, besides their accounts.
import type { PlainEvent } from "../../events.ts";
import type { Reader } from "../../realm.ts";
import type { Bot } from "../../records-people.ts";

type BotFields = Record<string, unknown>;

/** A bot that nobody gave anything has no row. */
export function botOf(reader: Reader, user_id: number): Bot {
  return reader.bots.get(user_id) ?? { user_id, ...newBot };
}

export const newBot: Readonly<Omit<Bot, "user_id">> = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
  service: null,
  storage_size: 0,
};

/** Channels by their names, as they are now. */
export function defaultsOf(reader: Reader, bot: Bot) {
  const nameOf = (stream_id: number | null) =>
    stream_id === null ? null : (reader.channels.get(stream_id)?.name ?? null);
  return {
    default_sending_stream: nameOf(bot.default_sending_stream),
    default_events_register_stream: nameOf(bot.default_events_register_stream),
    default_all_public_streams: bot.default_all_public_streams,
  };
}

export const servicesOf = ({ service }: Bot) => (service === null ? [] : [service]);

export function botObject(reader: Reader, user_id: number): BotFields {
  const bot = botOf(reader, user_id);
  return { user_id, ...defaultsOf(reader, bot), services: servicesOf(bot) };
}

export function botAdded(reader: Reader, user_id: number): PlainEvent {
  return { type: "realm_bot", op: "add", bot: botObject(reader, user_id) };
}

export function botUpdated(user_id: number, change: BotFields): PlainEvent {
  return { type: "realm_bot", op: "update", bot: { user_id, ...change } };
}

export function botRemoved(user_id: number): PlainEvent {
  return { type: "realm_bot", op: "delete", bot: { user_id } };
}
