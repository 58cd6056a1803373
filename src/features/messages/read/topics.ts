// The topics of a channel as a user sees them.
import Type from "typebox";
import { list } from "../../../contract/shapes/value-types.ts";
import { bool, defaulted, int, openEndpoint } from "../../../endpoint.ts";
import type { Reader } from "../../../realm.ts";
import { accessAsViewer, accessContent } from "../../channels/access.ts";
import { isProtected } from "../../channels/rules.ts";
import { SPECTATOR, type Viewer } from "../../rights/rules.ts";
import { topicSet } from "../sets/muted.ts";
import { ownSet, cachedMessages } from "../sets/received.ts";
import { idsBack, NarrowedSet } from "../sets/sets.ts";
import { nameByMessage } from "../spelling-wire.ts";
import { shownTopic } from "../wire.ts";

interface NamedTopic {
  name: string;
  max_id: number;
}

/** Newest first, each with the newest message that the user may read. */
function topicsOf(reader: Reader, viewer: Viewer, stream_id: number): NamedTopic[] {
  const channel = accessContent(reader, viewer, stream_id);
  const topics = [...reader.topics.scanIndex("latest", [stream_id], { reverse: true })];
  topics.sort((a, b) => b.last_id - a.last_id);
  if (viewer === SPECTATOR || !isProtected(channel)) {
    return topics.map(({ name, last_id }) => ({ name, max_id: last_id }));
  }

  const own = { streams: [stream_id], directs: false };
  const rows = ownSet(reader, viewer, cachedMessages(reader), own);
  const namedTopics = topics.flatMap((topic) => {
    const received = new NarrowedSet([topicSet(reader, topic.topic_id), rows], []);
    const [max_id] = idsBack(received, topic.first_id, topic.last_id, 1);
    return max_id === undefined ? [] : { name: nameByMessage(reader, topic, max_id), max_id };
  });
  return namedTopics.sort((a, b) => b.max_id - a.max_id);
}

export const getTopics = openEndpoint({
  summary: "List the topics of a channel",
  tag: "Topics",
  params: { stream_id: int, allow_empty_topic_name: defaulted(bool, false) },
  answer: Type.Object({
    topics: list(Type.Object({ name: Type.String(), max_id: Type.Integer() })),
  }),
  run({ realm, user }, { stream_id, allow_empty_topic_name }) {
    const topics = topicsOf(realm.read, accessAsViewer(realm.read, user), stream_id);
    const topicObject = ({ name, max_id }: NamedTopic) => ({
      name: shownTopic(name, allow_empty_topic_name),
      max_id,
    });
    return { topics: topics.map(topicObject) };
  },
});
