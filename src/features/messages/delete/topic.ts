// Deletes a topic: its messages in batches, newest first, and its users' topic settings.
import Type from "typebox";
import { channelNotFound } from "../../../contract/errors/channels.ts";
import { INHERITED } from "../../../contract/policies.ts";
import { endpoint, int, text } from "../../../endpoint.ts";
import type { Reader, Realm, Writer } from "../../../realm.ts";
import type { Channel, Topic, User } from "../../../schema/records.ts";
import { accessContent } from "../../channels/access.ts";
import { isProtected } from "../../channels/rules.ts";
import { setTopicPolicy } from "../../topics/actions.ts";
import {
  afterPendingMoves,
  checkNoPendingMove,
  type Deletions,
  deletionsOf,
} from "../move/unfinished.ts";
import { EMPTY_TOPIC_NAME } from "../rules.ts";
import { topicSet } from "../sets/muted.ts";
import { ownSet, cachedMessages } from "../sets/received.ts";
import { type IdSet, idsBack, NarrowedSet } from "../sets/sets.ts";
import { topicOf } from "../topic.ts";
import { removeMessages } from "./remove.ts";

const BATCH_MESSAGES_MAX = 50;
/** Clients time out after a minute. */
const REQUEST_MS_MAX = 50_000;

/** Deletes one batch of the messages that the user may read. Returns true when done. */
function deleteFromTopic(tx: Writer, user: User, stream_id: number, name: string): boolean {
  const channel = accessContent(tx, user, stream_id);
  if (channel.is_archived) throw channelNotFound();
  const topic = topicOf(tx, stream_id, name);
  if (!topic) return true;

  const set = readableIn(tx, user, channel, topic);
  const newest = idsBack(set, topic.first_id, topic.last_id, BATCH_MESSAGES_MAX + 1);
  const batch = newest.slice(0, BATCH_MESSAGES_MAX).map((id) => tx.messages.get(id)!);
  removeMessages(tx, batch, user);
  const isAll = newest.length <= BATCH_MESSAGES_MAX;
  if (isAll) forgetPolicies(tx, channel, topic);
  return isAll;
}

export const deleteTopic = endpoint({
  summary: "Delete a topic with its messages",
  tag: "Topics",
  params: { stream_id: int, topic_name: text },
  answer: Type.Object({ complete: Type.Boolean() }),
  async run({ realm, user }, { stream_id, topic_name }) {
    return { complete: await deleteInBatches(realm, user, stream_id, topic_name) };
  },
});

/** Stops when the time for a request is over. A repeated request continues. */
export async function deleteInBatches(
  realm: Realm,
  user: User,
  stream_id: number,
  topic_name: string,
): Promise<boolean> {
  const name = topic_name === EMPTY_TOPIC_NAME ? "" : topic_name;
  const end = realm.clock.now() + REQUEST_MS_MAX;
  return afterPendingMoves(realm, async () => {
    const deletion = new Deletion(realm);
    let isAll = false;
    try {
      await realm.inSteps((tx) => {
        deletion.begin(tx, topicOf(tx, stream_id, name));
        isAll = deleteFromTopic(tx, user, stream_id, name);
        return !isAll && realm.clock.now() < end;
      });
    } finally {
      deletion.end();
    }
    return isAll;
  });
}

/** While a deletion runs, no other request can move or delete the topic. */
class Deletion {
  private readonly completion = Promise.withResolvers<void>();
  private readonly all: Deletions;
  private topic_id: number | undefined;

  constructor(realm: Realm) {
    this.all = deletionsOf(realm);
  }

  begin(tx: Writer, topic: Topic | undefined): void {
    if (!topic || topic.topic_id === this.topic_id) return;
    checkNoPendingMove(tx, this.all, topic);
    this.removeFromAll();
    this.topic_id = topic.topic_id;
    this.all.set(topic.topic_id, this.completion.promise);
  }

  end(): void {
    this.removeFromAll();
    this.completion.resolve();
  }

  private removeFromAll(): void {
    if (this.topic_id !== undefined) this.all.delete(this.topic_id);
  }
}

function readableIn(reader: Reader, user: User, channel: Channel, topic: Topic): IdSet {
  const all = topicSet(reader, topic.topic_id);
  if (!isProtected(channel)) return all;
  const part = { streams: [channel.stream_id], directs: false };
  return new NarrowedSet([all, ownSet(reader, user, cachedMessages(reader), part)], []);
}

/** Deletes the topic settings of users who no longer see any of its messages. */
function forgetPolicies(tx: Writer, channel: Channel, { topic_id, name }: Topic): void {
  const remainingTopic = tx.topics.get(topic_id);
  for (const { user_id } of tx.user_topics.listBy("topic", channel.stream_id, name.toLowerCase())) {
    const user = tx.users.get(user_id)!;
    const canSee =
      remainingTopic &&
      idsBack(readableIn(tx, user, channel, remainingTopic), 0, remainingTopic.last_id, 1).length >
        0;
    if (!canSee) setTopicPolicy(tx, user, channel, name, INHERITED);
  }
}
