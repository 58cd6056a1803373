// Channels as JSON text, each kept with its record, so that a list of them is only joined.
import type { Reader } from "../../realm.ts";
import type { Channel } from "../../records.ts";
import { SPECTATOR, type Viewer } from "../users/rules.ts";
import { weeklyTraffic } from "./traffic.ts";
import { channelObject, channelObjectFor } from "./wire.ts";

interface Kept {
  readonly text: string;
  readonly as_of: number;
  readonly traffic: number | null;
}

/** A record is another one after every change. */
const kept = new WeakMap<Channel, Kept>();

/** The texts of `channelObjectFor`. */
export function channelTexts(
  reader: Reader,
  viewer: Viewer,
  channels: readonly Channel[],
): string[] {
  if (viewer === SPECTATOR) {
    return channels.map((channel) => JSON.stringify(channelObjectFor(reader, viewer, channel)));
  }
  const { now } = reader;
  // What a text is made of besides the channel; a sum of numbers that only grow.
  const as_of = reader.subscriptions.revision + reader.users.revision + reader.groups.revision;
  return channels.map((channel) => {
    const traffic = weeklyTraffic(reader, channel, now);
    const known = kept.get(channel);
    if (known?.as_of === as_of && known.traffic === traffic) return known.text;
    const text = JSON.stringify(channelObject(reader, channel));
    kept.set(channel, { text, as_of, traffic });
    return text;
  });
}

/** An answer that is this list. Joined in one go: such a text is dear to copy. */
export function answerOf(name: string, texts: readonly string[]): string {
  const [head, tail] = [`{"result":"success","msg":"","${name}":[`, "]}"];
  if (texts.length === 0) return head + tail;
  const parts = [...texts];
  parts[0] = head + parts[0];
  parts[parts.length - 1] += tail;
  return parts.join();
}
