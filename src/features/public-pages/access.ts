// Access to public pages, where anything that is not public is not found.
import { pathNotFound } from "../../contract/errors/general.ts";
import type { Reader } from "../../realm.ts";
import type { Channel, Topic } from "../../schema/records.ts";
import { channelsOnTheWeb, isOnTheWeb } from "../channels/spectator-wire.ts";

/** The number leads there; what stands behind it is for people and may be anything. */
const NUMBERED = /^(\d{1,15})(?:-.*)?$/s;

const idIn = (segment: string): number => Number(NUMBERED.exec(segment)?.[1] ?? Number.NaN);

/** All of them, by name; refused where there is none. */
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

/** A topic that was moved elsewhere is not in the channel any more, as if there had been none. */
export function openTopic(reader: Reader, channel: Channel, segment: string): Topic | undefined {
  const topic = reader.topics.get(idIn(segment) || 0);
  return topic?.stream_id === channel.stream_id ? topic : undefined;
}

/** Whether search engines may show the pages; unless the organization says so they may not. */
export const mayBeFound = (reader: Reader): boolean =>
  reader.settings.allow_search_engines === true;
