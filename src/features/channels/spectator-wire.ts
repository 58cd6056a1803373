// Whether whoever has no account may look: the operator, the organization and the channel say so.
import type { Reader } from "../../realm.ts";
import type { Channel } from "../../schema/records.ts";
import { REALM_ID } from "../realm/rules.ts";

/** May channels be public on the web at all? */
export function hasWebChannels(reader: Reader): boolean {
  if (!reader.config.web_public_streams) return false;
  return reader.realm.get(REALM_ID)?.settings.enable_spectator_access ?? false;
}

export function isOnTheWeb(reader: Reader, channel: Channel): boolean {
  return channel.is_web_public && !channel.is_archived && isOpen(reader);
}

/** The channels that spectators read. */
export function channelsOnTheWeb(reader: Reader): Channel[] {
  if (!isOpen(reader)) return [];
  return [...reader.channels.range()].filter((channel) => isOnTheWeb(reader, channel));
}

/** Of an organization that was closed nothing is shown any more. */
const isOpen = (reader: Reader) => hasWebChannels(reader) && !reader.deactivations.has(REALM_ID);
