// Sorts messages by time on disk, for archives that are not sorted.
import { Spool } from "../archive/spool.ts";
import { compareTs, type SourceMessage } from "./records-rules.ts";

const BUCKETS = 256;
/** Longer buckets are split on disk again: many messages may be from a short part of the range. */
const BUCKET_LENGTH_MAX = 8 * 1_048_576;

export interface Timed {
  /** Milliseconds. */
  readonly time: number;
  readonly message: SourceMessage & { ts: string };
  /** Id of the conversation. */
  readonly key: string;
  readonly location: string;
  readonly lost?: readonly string[];
}

/** Times of the first and the last message, in milliseconds. */
export class TimeRange {
  oldest = Infinity;
  newest = 0;

  record(time: number): void {
    this.oldest = Math.min(this.oldest, time);
    this.newest = Math.max(this.newest, time);
  }
}

/** `name`: describes the sorted data in errors. All times must be in the range. */
export async function* inTimeOrder(
  name: string,
  { oldest, newest }: TimeRange,
  messages: AsyncIterable<Timed>,
  lengthMax = BUCKET_LENGTH_MAX,
): AsyncIterable<Timed> {
  const span = Math.max(1, newest - oldest + 1);
  const ranges = Array.from({ length: BUCKETS }, () => new TimeRange());
  const spool = await Spool.open(name);
  try {
    for await (const message of messages) {
      const at = Math.floor(((message.time - oldest) / span) * BUCKETS);
      const bucket = Math.min(BUCKETS - 1, Math.max(0, at));
      ranges[bucket]!.record(message.time);
      await spool.add(bucket, message);
    }
    for (const [bucket, range] of ranges.entries()) {
      const isLong = spool.lengthOf(bucket) > lengthMax && range.oldest < range.newest;
      // The bucket contains the messages that were added above.
      if (isLong)
        yield* inTimeOrder(name, range, spool.each(bucket) as AsyncIterable<Timed>, lengthMax);
      else {
        const messages = (await spool.read(bucket)) as Timed[];
        yield* messages.sort((a, b) => compareTs(a.message.ts, b.message.ts));
      }
    }
  } finally {
    await spool.close();
  }
}

/** Messages of the same millisecond keep the order in which they were found. */
export function tsOf(ms: number): string {
  return `${Math.floor(ms / 1_000)}.${String(Math.floor(ms % 1_000)).padStart(3, "0")}`;
}

/** Times of messages are after 2001 and before 2286. */
export const isMessageTime = (ms: number) => ms >= 1e12 && ms < 1e13;
