// Weekly message counts of channels, from the bitmap of their messages, computed once an hour.
import { DAY_SECONDS } from "../../contract/units.ts";
import type { Reader } from "../../realm.ts";
import type { Channel, Seconds } from "../../schema/records.ts";
import { andNot, chunkOf, clearRange, count, offsetOf } from "../../store/bitmap/bitmap.ts";
import { countOf, decodeChunk } from "../../store/bitmap/encodings.ts";
import { idSince } from "./id-since-wire.ts";

const PERIOD_DAYS = 28;
const AGE_DAYS_MIN = 7;
const CACHE_SECONDS = 3600;

interface CachedTraffic {
  until: Seconds;
  /** The first message of the period. */
  first_id: number;
  weekly: Map<number, number>;
}

const cachedTraffic = new WeakMap<Reader, CachedTraffic>();

/** Rounded to two digits; null for channels younger than a week. */
export function weeklyTraffic(
  reader: Reader,
  channel: Channel,
  now: Seconds = reader.now,
): number | null {
  const age_days = Math.floor((now - channel.date_created) / DAY_SECONDS);
  if (age_days < AGE_DAYS_MIN) return null;
  let cached = cachedTraffic.get(reader);
  if (!cached || cached.until < now) {
    const first_id = idSince(reader, now - PERIOD_DAYS * DAY_SECONDS);
    cached = { until: now + CACHE_SECONDS, first_id, weekly: new Map() };
    cachedTraffic.set(reader, cached);
  }
  let weekly = cached.weekly.get(channel.stream_id);
  if (weekly === undefined) {
    const weeks = Math.min(age_days, PERIOD_DAYS) / 7;
    weekly = twoDigits(messagesFrom(reader, channel.stream_id, cached.first_id) / weeks);
    cached.weekly.set(channel.stream_id, weekly);
  }
  return weekly;
}

/** Imported messages are not counted: they have new ids, but were sent long ago. */
function messagesFrom(reader: Reader, stream_id: number, first_id: number): number {
  const first = chunkOf(first_id);
  const before = offsetOf(first_id) - 1;
  let sum = 0;
  for (const chunk of reader.channel_messages.chunks([stream_id], { from: first })) {
    const bytes = reader.channel_messages.chunk([stream_id], chunk);
    const backdated = reader.backdated_messages.chunk([0], chunk);
    const isCut = chunk === first && before >= 0;
    if (!isCut && !backdated) {
      sum += countOf(bytes);
      continue;
    }
    const counted = andNot(decodeChunk(bytes), decodeChunk(backdated));
    sum += count(isCut ? clearRange(counted, 0, before) : counted);
  }
  return sum;
}

function twoDigits(value: number): number {
  return value < 100 ? Math.round(value) : Number(value.toPrecision(2));
}
