// The topics and direct conversations of an HTML archive, with the pages of their messages.
import type { Reader } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import { canReadMessage } from "../../messages/access.ts";
import { topicSet } from "../../messages/sets/muted.ts";
import { COST, type IdSet, idsFrom, Stored } from "../../messages/sets/sets.ts";
import type { Viewer } from "../../rights/rules.ts";

export const MESSAGES_A_PAGE = 500;
const MESSAGES_AT_ONCE = 500;

/** A topic or a direct conversation with at least one message that the viewer may read. */
export interface Place {
  readonly kind: "topic" | "direct";
  /** The topic's or the recipient's id. */
  readonly id: number;
  /** 0 for direct messages. */
  readonly stream_id: number;
  count: number;
  /** Not the whole message, since all places are in memory. */
  last: Pick<Message, "id" | "timestamp">;
  /** The id of the first message on each page. */
  readonly starts: number[];
}

export class Places {
  readonly topics = new Map<number, Place>();
  readonly directs = new Map<number, Place>();
  /** Channels with at least one of these topics. */
  readonly channels = new Set<number>();

  constructor(
    private readonly reader: Reader,
    private readonly viewer: Viewer,
  ) {}

  /** All messages that the viewer may read, oldest first; each is counted in its place. */
  *survey(): Iterable<{ message: Message; place: Place }> {
    let from = 0;
    for (;;) {
      const some = [...this.reader.messages.range({ from: [from], limit: MESSAGES_AT_ONCE })];
      for (const message of some) {
        if (!canReadMessage(this.reader, this.viewer, message)) continue;
        yield { message, place: this.count(message) };
      }
      if (some.length < MESSAGES_AT_ONCE) return;
      from = some.at(-1)!.id + 1;
    }
  }

  /** The readable messages of a page, oldest first. */
  *messagesOn(place: Place, page: number): Iterable<Message> {
    const last = (place.starts[page + 1] ?? place.last.id + 1) - 1;
    const set = setOf(this.reader, place);
    for (let from = place.starts[page]!; ;) {
      const ids = idsFrom(set, from, last, MESSAGES_AT_ONCE);
      for (const id of ids) {
        const message = this.reader.messages.get(id);
        // During a move, a message may be in the sets of both topics.
        const isHere = message && (place.kind === "direct" || message.topic_id === place.id);
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
    const place = this.placeOf(message);
    if (!place) return undefined;
    const page = place.starts.findLastIndex((start) => start <= message_id);
    return `${pagePath(place, page)}#m${message_id}`;
  }

  private placeOf({ topic_id, recipient_id, stream_id }: Message): Place | undefined {
    return stream_id === 0 ? this.directs.get(recipient_id) : this.topics.get(topic_id);
  }

  private count(message: Message): Place {
    const { id, timestamp, stream_id, topic_id, recipient_id } = message;
    const last = { id, timestamp };
    let place = this.placeOf(message);
    if (!place) {
      const about = { stream_id, count: 0, last, starts: [] };
      if (stream_id === 0) {
        place = { kind: "direct", id: recipient_id, ...about };
        this.directs.set(recipient_id, place);
      } else {
        place = { kind: "topic", id: topic_id, ...about };
        this.topics.set(topic_id, place);
        this.channels.add(stream_id);
      }
    }
    if (place.count % MESSAGES_A_PAGE === 0) place.starts.push(id);
    place.count += 1;
    place.last = last;
    return place;
  }
}

/** From the root of the archive; `page` counts from 0. */
export function pagePath({ kind, id }: Place, page: number): string {
  const folder = kind === "topic" ? "topics" : "direct";
  return `${folder}/${id}${page === 0 ? "" : `-${page + 1}`}.html`;
}

export const channelPath = (stream_id: number) => `channels/${stream_id}.html`;

function setOf(reader: Reader, { kind, id }: Place): IdSet {
  if (kind === "topic") return topicSet(reader, id);
  return new Stored(`conversation ${id}`, COST.place, reader.conversation_messages, [id]);
}
