// Channels as JSON text, cached with their records, so that lists only concatenate texts.
import type { Reader } from "../../realm.ts";
import type { Channel } from "../../schema/records.ts";
import { SPECTATOR, type Viewer } from "../rights/rules.ts";
import { weeklyTraffic } from "./traffic-wire.ts";
import { channelObjectFor, usersInSettingsOf, subscriberCount, uncounted } from "./wire.ts";

interface CacheEntry {
  readonly text: string;
  readonly as_of: number;
  readonly traffic: number | null;
}

/** A change replaces the record object. */
const retained = new WeakMap<Channel, CacheEntry>();

/** Returns the texts of `channelObjectFor`. */
export function channelTexts(
  reader: Reader,
  viewer: Viewer,
  channels: readonly Channel[],
): string[] {
  if (viewer === SPECTATOR) {
    return channels.map((channel) => JSON.stringify(channelObjectFor(reader, viewer, channel)));
  }
  const { now } = reader;
  // Version of everything else that the text contains: a sum of numbers that only grow.
  const as_of = reader.subscriptions.revision + reader.users.revision + reader.groups.revision;
  return channels.map((channel) => {
    const traffic = weeklyTraffic(reader, channel, now);
    const cached = retained.get(channel);
    if (cached?.as_of === as_of && cached.traffic === traffic) return cached.text;
    const text = channelText(reader, channel, subscriberCount(reader, channel.stream_id), traffic);
    retained.set(channel, { text, as_of, traffic });
    return text;
  });
}

/** The text of `channelsAppeared`, for channels whose subscribers are sent afterwards. */
export function channelsAppearedText(reader: Reader, channels: readonly Channel[]): string {
  const { now } = reader;
  const texts = channels.map((channel) => {
    return channelText(reader, channel, 0, weeklyTraffic(reader, channel, now));
  });
  return wrapped('{"type":"stream","op":"create","streams":[', texts, "]}");
}

/** Returns the text of `channelObject`. */
function channelText(reader: Reader, channel: Channel, count: number, traffic: number | null) {
  const text = textWithoutCounts(reader, channel);
  return `${text},"subscriber_count":${count},"stream_weekly_traffic":${traffic}}`;
}

/** Includes every user that a permission setting lists. */
const cachedTexts = new WeakMap<
  Channel,
  { readonly text: string; readonly people: readonly number[] }
>();

/** The text without the counts, which come last. */
function textWithoutCounts(reader: Reader, channel: Channel): string {
  const cached = cachedTexts.get(channel);
  const people = cached?.people ?? usersInSettingsOf(channel);
  const isComplete = people.every((id) => reader.users.get(id)?.is_active);
  if (cached && isComplete) return cached.text;
  const text = JSON.stringify(uncounted(reader, channel)).slice(0, -1);
  if (isComplete) cachedTexts.set(channel, { text, people });
  return text;
}

/** A response with this list. */
export function answerOf(name: string, texts: readonly string[]): string {
  return wrapped(`{"result":"success","msg":"","${name}":[`, texts, "]}");
}

/** Concatenates once, because such texts are expensive to copy. */
function wrapped(head: string, texts: readonly string[], tail: string): string {
  if (texts.length === 0) return head + tail;
  const parts = [...texts];
  parts[0] = head + parts[0];
  parts[parts.length - 1] += tail;
  return parts.join();
}
