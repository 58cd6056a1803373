// The topics and direct conversations of an HTML archive, with the pages of their messages.
import type { Reader } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import { canReadMessage } from "../../messages/access.ts";
import { topicSet } from "../../messages/sets/muted.ts";
import { COST, type IdSet, idsFrom, StoredSet } from "../../messages/sets/sets.ts";
import type { Viewer } from "../../rights/rules.ts";

const MESSAGES_A_PAGE = 500;
const MESSAGES_AT_ONCE = 500;

/** A topic or a direct conversation with at least one message that the viewer may read. */
export interface ArchivedConversation {
  readonly kind: "topic" | "direct";
  /** The topic's or the recipient's id. */
  readonly id: number;
  /** 0 for direct messages. */
  readonly stream_id: number;
  count: number;
  /** A part of the newest message, because all conversations are in memory. */
  last: Pick<Message, "id" | "timestamp">;
  /** The id of the first message on each page. */
  readonly starts: number[];
}

export class ArchivedConversations {
  readonly topics = new Map<number, ArchivedConversation>();
  readonly directs = new Map<number, ArchivedConversation>();
  /** Channels with at least one of these topics. */
  readonly channels = new Set<number>();

  constructor(
    private readonly reader: Reader,
    private readonly viewer: Viewer,
  ) {}

  /** All messages that the viewer may read, oldest first; each is counted in its conversation. */
  *survey(): Iterable<{ message: Message; conversation: ArchivedConversation }> {
    let from = 0;
    for (;;) {
      const batch = [...this.reader.messages.range({ from: [from], limit: MESSAGES_AT_ONCE })];
      for (const message of batch) {
        if (!canReadMessage(this.reader, this.viewer, message)) continue;
        yield { message, conversation: this.count(message) };
      }
      if (batch.length < MESSAGES_AT_ONCE) return;
      from = batch.at(-1)!.id + 1;
    }
  }

  /** The readable messages of a page, oldest first. */
  *messagesOn(conversation: ArchivedConversation, page: number): Iterable<Message> {
    const last = (conversation.starts[page + 1] ?? conversation.last.id + 1) - 1;
    const set = setOf(this.reader, conversation);
    for (let from = conversation.starts[page]!; ;) {
      const ids = idsFrom(set, from, last, MESSAGES_AT_ONCE);
      for (const id of ids) {
        const message = this.reader.messages.get(id);
        // During a move, a message may be in the sets of both topics.
        const isHere =
          message && (conversation.kind === "direct" || message.topic_id === conversation.id);
        if (isHere && canReadMessage(this.reader, this.viewer, message)) yield message;
      }
      if (ids.length < MESSAGES_AT_ONCE) return;
      from = ids.at(-1)! + 1;
    }
  }

  /** Path of a message from the root of the archive; undefined if the viewer may not read it. */
  pathOf(message_id: number): string | undefined {
    const message = this.reader.messages.get(message_id);
    if (!message || !canReadMessage(this.reader, this.viewer, message)) return undefined;
    const conversation = this.conversationOf(message);
    if (!conversation) return undefined;
    const page = conversation.starts.findLastIndex((start) => start <= message_id);
    return `${pagePath(conversation, page)}#m${message_id}`;
  }

  private conversationOf({
    topic_id,
    recipient_id,
    stream_id,
  }: Message): ArchivedConversation | undefined {
    return stream_id === 0 ? this.directs.get(recipient_id) : this.topics.get(topic_id);
  }

  private count(message: Message): ArchivedConversation {
    const { id, timestamp, stream_id, topic_id, recipient_id } = message;
    const last = { id, timestamp };
    let conversation = this.conversationOf(message);
    if (!conversation) {
      const entry = { stream_id, count: 0, last, starts: [] };
      if (stream_id === 0) {
        conversation = { kind: "direct", id: recipient_id, ...entry };
        this.directs.set(recipient_id, conversation);
      } else {
        conversation = { kind: "topic", id: topic_id, ...entry };
        this.topics.set(topic_id, conversation);
        this.channels.add(stream_id);
      }
    }
    if (conversation.count % MESSAGES_A_PAGE === 0) conversation.starts.push(id);
    conversation.count += 1;
    conversation.last = last;
    return conversation;
  }
}

/** The path from the root of the archive. `page` counts from 0. */
export function pagePath({ kind, id }: ArchivedConversation, page: number): string {
  const folder = kind === "topic" ? "topics" : "direct";
  return `${folder}/${id}${page === 0 ? "" : `-${page + 1}`}.html`;
}

export const channelPath = (stream_id: number) => `channels/${stream_id}.html`;

function setOf(reader: Reader, { kind, id }: ArchivedConversation): IdSet {
  if (kind === "topic") return topicSet(reader, id);
  return new StoredSet(`conversation ${id}`, COST.place, reader.conversation_messages, [id]);
}
