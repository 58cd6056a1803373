// Topics by their newest message, with recent participants.
import Type from "typebox";
import { list, nullable } from "../../../contract/shapes/value-types.ts";
import { bool, defaulted, endpoint, nonNegativeInt, optional } from "../../../endpoint.ts";
import type { Reader } from "../../../realm.ts";
import type { Topic, User } from "../../../schema/records.ts";
import { count } from "../../../store/bitmap/bitmap.ts";
import { isProtected } from "../../channels/rules.ts";
import { topicSet } from "../sets/muted.ts";
import { ownSet, type ReceivedSet, cachedMessages } from "../sets/received.ts";
import { chunksOf, idsBack, NarrowedSet } from "../sets/sets.ts";
import { nameByMessage } from "../spelling-wire.ts";
import { shownTopic } from "../wire.ts";

const TOPICS_MAX = 100;
const PARTICIPANTS_MAX = 5;
/** Maximum number of messages to read, in batches. */
const MESSAGES_MAX = 3000;
const BATCH = 200;

interface RecentTopic {
  readonly topic: Topic;
  readonly max_id: number;
  /** Senders of the newest messages, latest first. */
  readonly participants: number[];
}

interface RecentTopicsPage {
  readonly topics: RecentTopic[];
  /** The oldest id that was read; undefined if there are no older messages. */
  readonly down_to: number | undefined;
}

/** Only messages that the user received and can still read, in subscribed channels. */
function recentTopics(reader: Reader, user: User, before: number | undefined): RecentTopicsPage {
  const subscriptions = reader.subscriptions.listBy("user", user.user_id);
  const streams = subscriptions.flatMap(({ active, stream_id }) => (active ? stream_id : []));
  const rows = ownSet(reader, user, cachedMessages(reader), { streams, directs: false });
  const topicsById = new Map<number, RecentTopic>();
  let last = before === undefined ? reader.last("messages") : before - 1;
  for (let scanned = 0; scanned < MESSAGES_MAX; scanned += BATCH) {
    const ids = idsBack(rows, 0, last, BATCH);
    for (const id of ids) {
      recordTopic(reader, topicsById, id);
      last = id - 1;
      if (topicsById.size >= TOPICS_MAX) return recentlyUsed(reader, rows, topicsById, before, id);
    }
    if (ids.length < BATCH) return recentlyUsed(reader, rows, topicsById, before, undefined);
  }
  return recentlyUsed(reader, rows, topicsById, before, last + 1);
}

function recordTopic(reader: Reader, topicsById: Map<number, RecentTopic>, id: number): void {
  const message = reader.messages.readFields(id);
  // `message` must be read field by field in the order of the record.
  const sender_id = message?.number("sender_id");
  const topic_id = message?.number("topic_id");
  if (sender_id === undefined || topic_id === undefined || topic_id === 0) return;
  const recentTopic = topicsById.get(topic_id);
  if (recentTopic === undefined) {
    const topic = reader.topics.get(topic_id);
    if (topic) topicsById.set(topic_id, { topic, max_id: id, participants: [sender_id] });
    return;
  }
  const { participants } = recentTopic;
  if (participants.length < PARTICIPANTS_MAX && !participants.includes(sender_id)) {
    participants.push(sender_id);
  }
}

/** Excludes topics whose newest message is on an earlier page. */
function recentlyUsed(
  reader: Reader,
  rows: ReceivedSet,
  topicsById: Map<number, RecentTopic>,
  before: number | undefined,
  down_to: number | undefined,
): RecentTopicsPage {
  const isLater = ({ topic }: RecentTopic) => {
    if (before === undefined || topic.last_id < before) return false;
    return idsBack(readableCountOf(reader, rows, topic), before, topic.last_id, 1).length > 0;
  };
  return {
    topics: [...topicsById.values()].filter((recentTopic) => !isLater(recentTopic)),
    down_to,
  };
}

const readableCountOf = (reader: Reader, rows: ReceivedSet, { topic_id }: Topic) =>
  new NarrowedSet([topicSet(reader, topic_id), rows], []);

/** In channels with protected history, counts only messages that the user can read. */
function countReadable(reader: Reader, user: User, topic: Topic): number {
  const channel = reader.channels.get(topic.stream_id);
  if (channel === undefined || !isProtected(channel)) return topic.count;
  const readable = { streams: [topic.stream_id], directs: false };
  const rows = ownSet(reader, user, cachedMessages(reader), readable);
  const chunks = chunksOf(readableCountOf(reader, rows, topic), topic.first_id, topic.last_id);
  return [...chunks.values()].reduce((sum, chunk) => sum + count(chunk), 0);
}

export const getRecentTopics = endpoint({
  summary: "List the topics with the newest messages",
  tag: "Topics",
  params: { before: optional(nonNegativeInt), allow_empty_topic_name: defaulted(bool, false) },
  answer: Type.Object({
    topics: list(
      Type.Object({
        stream_id: Type.Integer(),
        topic: Type.String(),
        max_id: Type.Integer(),
        count: Type.Integer(),
        participants: list(Type.Integer()),
      }),
    ),
    before: nullable(Type.Integer()),
  }),
  run({ realm: { read }, user }, { before, allow_empty_topic_name }) {
    const { topics: recent, down_to } = recentTopics(read, user, before);
    const topics = recent.map(({ topic, max_id, participants }) => ({
      stream_id: topic.stream_id,
      topic: shownTopic(nameByMessage(read, topic, max_id), allow_empty_topic_name),
      max_id,
      count: countReadable(read, user, topic),
      participants,
    }));
    return { topics, before: down_to ?? null };
  },
});
