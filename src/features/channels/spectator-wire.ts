// Whether spectators have access: operator, organization and channel must agree.
import type { Reader } from "../../realm.ts";
import type { Channel } from "../../schema/records.ts";
import { REALM_ID } from "../realm/rules.ts";

/** Whether web-public channels are enabled. */
export function hasWebChannels(reader: Reader): boolean {
  if (!reader.config.web_public_streams) return false;
  return reader.realm.get(REALM_ID)?.settings.enable_spectator_access ?? false;
}

export function isOnTheWeb(reader: Reader, channel: Channel): boolean {
  return channel.is_web_public && !channel.is_archived && isOpen(reader);
}

/** Returns the channels that spectators can read. */
export function channelsOnTheWeb(reader: Reader): Channel[] {
  if (!isOpen(reader)) return [];
  return [...reader.channels.range()].filter((channel) => isOnTheWeb(reader, channel));
}

/** A deactivated organization shows nothing. */
const isOpen = (reader: Reader) => hasWebChannels(reader) && !reader.deactivations.has(REALM_ID);
