// Access to public pages, where anything that is not public is not found.
import { pathNotFound } from "../../contract/errors/general.ts";
import type { Reader } from "../../realm.ts";
import type { Channel, Topic } from "../../schema/records.ts";
import { channelsOnTheWeb, isOnTheWeb } from "../channels/spectator-wire.ts";

/**
 * Only the number identifies the channel; the rest of the path is a readable name and is ignored.
 */
const NUMBERED = /^(\d{1,15})(?:-.*)?$/s;

const idIn = (segment: string): number => Number(NUMBERED.exec(segment)?.[1] ?? Number.NaN);

/** All web-public channels, by name. Throws if there are none. */
export function accessOpenChannels(reader: Reader): Channel[] {
  const channels = channelsOnTheWeb(reader);
  if (channels.length === 0) throw pathNotFound();
  return channels.sort((a, b) => a.name.localeCompare(b.name));
}

export function accessOpenChannel(reader: Reader, segment: string): Channel {
  const channel = reader.channels.get(idIn(segment) || 0);
  if (!channel || !isOnTheWeb(reader, channel)) throw pathNotFound();
  return channel;
}

/** A topic that was moved to another channel counts as missing. */
export function publicTopic(reader: Reader, channel: Channel, segment: string): Topic | undefined {
  const topic = reader.topics.get(idIn(segment) || 0);
  return topic?.stream_id === channel.stream_id ? topic : undefined;
}

/** Whether search engines may list the pages, which the organization must allow. */
export const canBeIndexed = (reader: Reader): boolean =>
  reader.settings.allow_search_engines === true;
