// Marks a topic, a channel or everything as read.
import Type from "typebox";
import { topicNotFound } from "../../../contract/errors/messages.ts";
import { nothing } from "../../../contract/shapes/value-types.ts";
import { endpoint, int, text } from "../../../endpoint.ts";
import type { Writer } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { accessContent } from "../../channels/access.ts";
import { EMPTY_TOPIC_NAME } from "../rules.ts";
import { topicSet } from "../sets/muted.ts";
import { ownSet, cachedMessages } from "../sets/received.ts";
import { chunksOf, idsFrom, NarrowedSet } from "../sets/sets.ts";
import { topicOf } from "../topic.ts";
import { everythingRead } from "../unread/flags-wire.ts";
import { readChunks, readEverything, Unread, unreadInChannel } from "../unread/unread.ts";

export function markAllRead(tx: Writer, { user_id }: User): void {
  readEverything(tx, user_id);
  tx.emit(everythingRead(), { to: "people", user_ids: [user_id] });
}

export function markTopicRead(tx: Writer, user: User, stream_id: number, name: string): void {
  accessContent(tx, user, stream_id);
  const topic = topicOf(tx, stream_id, name === EMPTY_TOPIC_NAME ? "" : name);
  if (!topic) throw topicNotFound(name);
  const last = tx.last("messages");
  const messageOf = cachedMessages(tx);
  const messages = topicSet(tx, topic.topic_id);
  const rows = ownSet(tx, user, messageOf, { streams: [stream_id], directs: false });
  if (idsFrom(new NarrowedSet([messages, rows], []), 0, last, 1).length === 0) {
    throw topicNotFound(name);
  }

  const unread = new Unread(tx, user.user_id, messageOf, stream_id);
  readChunks(tx, user.user_id, chunksOf(new NarrowedSet([messages, unread], []), 0, last));
}

export const postAllRead = endpoint({
  summary: "Mark all messages as read",
  tag: "Messages",
  params: {},
  answer: Type.Object({ complete: Type.Boolean() }),
  async run({ realm, user }) {
    await realm.write((tx) => markAllRead(tx, user));
    return { complete: true };
  },
});

export const postChannelRead = endpoint({
  summary: "Mark a channel's messages as read",
  tag: "Messages",
  params: { stream_id: int },
  answer: nothing,
  async run({ realm, user }, { stream_id }) {
    await realm.write((tx) => {
      accessContent(tx, user, stream_id);
      readChunks(tx, user.user_id, unreadInChannel(tx, user.user_id, stream_id));
    });
    return {};
  },
});

export const postTopicRead = endpoint({
  summary: "Mark a topic's messages as read",
  tag: "Messages",
  params: { stream_id: int, topic_name: text },
  answer: nothing,
  async run({ realm, user }, { stream_id, topic_name }) {
    await realm.write((tx) => markTopicRead(tx, user, stream_id, topic_name));
    return {};
  },
});
