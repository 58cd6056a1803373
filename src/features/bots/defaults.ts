// Bots with their default settings; channels are named only to viewers who can see them.
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader } from "../../realm.ts";
import type { Bot } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { canSeeChannel } from "../channels/access.ts";
import { botOf, servicesOf } from "./wire.ts";

/** null stands for administrators, who see every channel. */
export type BotViewer = User | null;

/** A channel that the viewer cannot see is omitted. */
export function defaultsOf(reader: Reader, viewer: BotViewer, bot: Bot) {
  const nameOf = (stream_id: number | null) => {
    const channel = stream_id === null ? undefined : reader.channels.get(stream_id);
    const isShown = channel && (viewer === null || canSeeChannel(reader, viewer, channel));
    return isShown ? channel.name : null;
  };
  return {
    default_sending_stream: nameOf(bot.default_sending_stream),
    default_events_register_stream: nameOf(bot.default_events_register_stream),
    default_all_public_streams: bot.default_all_public_streams,
    can_notify: bot.can_notify ?? "everyone",
  };
}

export function botObject(reader: Reader, viewer: BotViewer, user_id: number) {
  const bot = botOf(reader, user_id);
  return { user_id, ...defaultsOf(reader, viewer, bot), services: servicesOf(bot) };
}

export function botAdded(reader: Reader, viewer: BotViewer, user_id: number): PlainEvent {
  return { type: "realm_bot", op: "add", bot: botObject(reader, viewer, user_id) };
}
