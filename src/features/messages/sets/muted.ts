// A user's muted and followed channels and topics.
import { FOLLOWED, MUTED, UNMUTED } from "../../../contract/policies.ts";
import type { Reader } from "../../../realm.ts";
import { topicOf } from "../topic.ts";
import { COST, IdSet, NarrowedSet, StoredSet, Union } from "./sets.ts";

export class Muting {
  private readonly channels = new Set<number>();
  /** Keyed by channel and folded name. */
  private readonly policies = new Map<number, Map<string, number>>();

  constructor(
    private readonly reader: Reader,
    user_id: number,
  ) {
    for (const sub of reader.subscriptions.listBy("user", user_id)) {
      if (sub.is_muted) this.channels.add(sub.stream_id);
    }
    for (const { stream_id, folded, visibility_policy } of reader.user_topics.listBy(
      "user",
      user_id,
    )) {
      // Clients do not receive topic settings of archived channels.
      if (reader.channels.get(stream_id)?.is_archived) continue;
      let topics = this.policies.get(stream_id);
      if (!topics) this.policies.set(stream_id, (topics = new Map()));
      topics.set(folded, visibility_policy);
    }
  }

  isMuted(stream_id: number, topic: string): boolean {
    const policy = this.policies.get(stream_id)?.get(topic.toLowerCase());
    if (policy === UNMUTED || policy === FOLLOWED) return false;
    return policy === MUTED || this.channels.has(stream_id);
  }

  muted(): IdSet {
    const { reader } = this;
    const sets: IdSet[] = [...this.topics((policy) => policy === MUTED)];
    for (const stream_id of this.channels) {
      const channel = new StoredSet("channel", COST.channel, reader.channel_messages, [stream_id]);
      const mutedSets = this.topics((policy) => policy !== MUTED, stream_id);
      sets.push(mutedSets.length === 0 ? channel : new NarrowedSet([channel], mutedSets));
    }
    return new Union(sets, COST.channel, "muted");
  }

  followed(): IdSet {
    return new Union(
      this.topics((policy) => policy === FOLLOWED),
      COST.several,
      "followed",
    );
  }

  private topics(isSelected: (policy: number) => boolean, streamId?: number): StoredSet[] {
    const sets: StoredSet[] = [];
    for (const [stream_id, policies] of this.policies) {
      if (streamId !== undefined && streamId !== stream_id) continue;
      for (const [folded, policy] of policies) {
        const topic = isSelected(policy) ? topicOf(this.reader, stream_id, folded) : undefined;
        if (topic) sets.push(topicSet(this.reader, topic.topic_id));
      }
    }
    return sets;
  }
}

export function topicSet(reader: Reader, topic_id: number): StoredSet {
  return new StoredSet(`topic ${topic_id}`, COST.place, reader.topic_messages, [topic_id]);
}
