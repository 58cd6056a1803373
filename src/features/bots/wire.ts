// The data about bots, besides their accounts, for owners and administrators.
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader } from "../../realm.ts";
import type { Bot } from "../../schema/records-people.ts";

type BotFields = Record<string, unknown>;

/** A bot without settings has no row. */
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

export const servicesOf = ({ service }: Bot) => (service === null ? [] : [service]);

export function botUpdated(user_id: number, change: BotFields): PlainEvent {
  return { type: "realm_bot", op: "update", bot: { user_id, ...change } };
}

export function botRemoved(user_id: number): PlainEvent {
  return { type: "realm_bot", op: "delete", bot: { user_id } };
}
