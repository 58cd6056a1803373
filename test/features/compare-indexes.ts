// Compares every message index with the messages themselves.
import { expect } from "bun:test";
import { STREAM_WILDCARD } from "../../src/features/messages/rules.ts";
import type { Reader } from "../../src/realm.ts";
import type { Message } from "../../src/schema/records-messages.ts";
import { ascending, idOf } from "../../src/store/bitmap/bitmap.ts";
import { decodeChunk } from "../../src/store/bitmap/encodings.ts";
import type { BitmapReader } from "../../src/store/declare.ts";

/** Fails if an index differs from the messages. */
export function expectExact(reader: Reader): void {
  const messages = [...reader.messages.range()];
  for (const channel of reader.channels.range()) {
    const { stream_id, first_message_id } = channel;
    const ids = idsOf(messages, (message) => message.stream_id === stream_id);
    expect({ stream_id, ids: idsInBitmap(reader.channel_messages, stream_id) }).toEqual({
      stream_id,
      ids,
    });
    expect({ stream_id, first_message_id }).toEqual({
      stream_id,
      first_message_id: ids[0] ?? null,
    });
  }
  topicsAreExact(reader, messages);
  conversationsAreExact(reader, messages);
  for (const { user_id } of reader.users.range()) {
    const sentIds = idsOf(messages, (message) => message.sender_id === user_id);
    expect({ user_id, sent: idsInBitmap(reader.sender_messages, user_id) }).toEqual({
      user_id,
      sent: sentIds,
    });
  }
  const wild = idsOf(messages, ({ bits }) => (bits & STREAM_WILDCARD) !== 0);
  expect(idsInBitmap(reader.wildcards, 0)).toEqual(wild);
  const reacted = idsOf(messages, ({ reactions }) => reactions !== null);
  expect(idsInBitmap(reader.reacted_messages, 0)).toEqual(reacted);
  for (const { id } of reader.groups.range()) {
    const mentions = idsOf(
      messages,
      (message) => message.mentioned_group_ids?.includes(id) === true,
    );
    expect({ id, mentions: idsInBitmap(reader.group_mentions, id) }).toEqual({ id, mentions });
  }
}

/** The ids of a stored bitmap. */
export function idsInBitmap(bitmap: BitmapReader, ...key: number[]): number[] {
  return [...bitmap.chunks(key)].flatMap((n) =>
    ascending(decodeChunk(bitmap.chunk(key, n)), idOf(n, 0)),
  );
}

function topicsAreExact(reader: Reader, messages: readonly Message[]): void {
  const inChannels = messages.filter(({ stream_id }) => stream_id !== 0);
  const byTopic = Map.groupBy(inChannels, ({ topic_id }) => topic_id);
  for (const [topic_id, some] of byTopic) {
    const ids = some.map(({ id }) => id);
    expect(idsInBitmap(reader.topic_messages, topic_id)).toEqual(ids);
    expect(reader.topics.get(topic_id)).toMatchObject({
      stream_id: some[0]!.stream_id,
      first_id: ids[0],
      last_id: ids.at(-1),
      count: ids.length,
    });
  }
  const topicIds = [...reader.topics.range()].map(({ topic_id }) => topic_id);
  expect(topicIds.sort((a, b) => a - b)).toEqual([...byTopic.keys()].sort((a, b) => a - b));
  for (let id = 1; id <= reader.last("topics"); id++) {
    if (byTopic.has(id)) continue;
    expect(idsInBitmap(reader.topic_messages, id)).toEqual([]);
    expect(idsInBitmap(reader.topic_participants, id)).toEqual([]);
  }
}

function conversationsAreExact(reader: Reader, messages: readonly Message[]): void {
  const directs = messages.filter(({ stream_id }) => stream_id === 0);
  for (const { recipient_id, user_ids, last_id } of reader.conversations.range()) {
    const ids = idsOf(directs, (message) => message.recipient_id === recipient_id);
    expect({ recipient_id, ids: idsInBitmap(reader.conversation_messages, recipient_id) }).toEqual({
      recipient_id,
      ids,
    });
    expect({ recipient_id, last_id }).toEqual({ recipient_id, last_id: ids.at(-1) ?? 0 });
    for (const user_id of user_ids) {
      expect(idsInBitmap(reader.user_directs, user_id)).toEqual(expect.arrayContaining(ids));
    }
  }
  const all = new Set(directs.map(({ id }) => id));
  for (const { user_id } of reader.users.range()) {
    for (const id of idsInBitmap(reader.user_directs, user_id)) expect(all).toContain(id);
  }
}

function idsOf(messages: readonly Message[], isSelected: (message: Message) => boolean): number[] {
  return messages.filter(isSelected).map(({ id }) => id);
}
