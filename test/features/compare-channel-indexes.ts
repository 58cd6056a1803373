// Compares the indexes of a channel with a plain list of its messages.
import { expect } from "bun:test";
import type { Reader } from "../../src/realm.ts";
import type { Channel } from "../../src/schema/records.ts";
import { ascending, idOf } from "../../src/store/bitmap/bitmap.ts";
import { decodeChunk } from "../../src/store/bitmap/encodings.ts";
import type { BitmapReader, Key } from "../../src/store/declare.ts";

interface StoredMessage {
  id: number;
  stream_id: number;
  topic: string;
}

/** `all` are the messages of this channel and of others, ascending. */
export function expectChannel(read: Reader, channel: Channel, all: readonly StoredMessage[]): void {
  const { stream_id, first_message_id } = channel;
  const messagesOfChannel = all.filter((message) => message.stream_id === stream_id);
  const ids = messagesOfChannel.map((message) => message.id);
  expect(idsOf(read.channel_messages, [stream_id])).toEqual(ids);
  expect(first_message_id).toBe(ids[0] ?? null);

  const topics = [...read.topics.scanIndex("latest", [stream_id])];
  const messagesByTopic = Map.groupBy(messagesOfChannel, (message) => message.topic);
  expect(topics.map((topic) => topic.name).sort()).toEqual([...messagesByTopic.keys()].sort());
  for (const topic of topics) {
    const { topic_id, name, first_id, last_id, count } = topic;
    const inTopic = messagesByTopic.get(name)!.map((message) => message.id);
    expect([first_id, last_id, count]).toEqual([inTopic[0]!, inTopic.at(-1)!, inTopic.length]);
    expect(idsOf(read.topic_messages, [topic_id])).toEqual(inTopic);
  }
  for (const { topic_id } of read.topic_renames.range()) {
    expect(read.topics.has(topic_id)).toBe(true);
  }
}

function idsOf(bitmap: BitmapReader, key: Key): number[] {
  const chunks = [...bitmap.chunks(key)];
  return chunks.flatMap((n) => ascending(decodeChunk(bitmap.chunk(key, n)), idOf(n, 0)));
}
