// Sets of messages that require reading their text, because the index does not suffice.
import type { Reader } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import {
  type Chunk,
  chunkOf,
  CHUNK_IDS,
  clearRange,
  eachOffset,
  emptyChunk,
  idOf,
  offsetOf,
  or,
  setRange,
} from "../../store/bitmap/bitmap.ts";
import { plainText } from "../../text/plain-text.ts";
import { matchesQuery, type QueryWord } from "../../text/search/query.ts";
import { UNINDEXED_MESSAGES_MAX } from "../../text/search/stop-words.ts";
import { folded, WORDS } from "../../text/search/words.ts";
import type { Lookup } from "../messages/sets/received.ts";
import { COST, everyChunk, IdSet } from "../messages/sets/sets.ts";

/** The newest messages, which are read to find words that are not in the index; 20 µs each. */
export class NewestMatches extends IdSet {
  readonly cost = COST.marks;
  readonly text = "the newest";
  private readonly first: number;
  private readonly last: number;

  constructor(reader: Reader) {
    super();
    this.last = reader.last("messages");
    this.first = Math.max(0, this.last - UNINDEXED_MESSAGES_MAX + 1);
  }

  chunks(from: number, to: number, reverse: boolean): Iterable<number> {
    const [low, high] = [Math.max(from, chunkOf(this.first)), Math.min(to, chunkOf(this.last))];
    return low > high ? [] : everyChunk(low, high, reverse);
  }

  union(chunk: Chunk, n: number): void {
    const [first, last] = [chunkOf(this.first), chunkOf(this.last)];
    if (n < first || n > last) return;
    const from = n === first ? offsetOf(this.first) : 0;
    setRange(chunk, from, n === last ? offsetOf(this.last) : CHUNK_IDS - 1);
  }
}

/** Checked last, only for messages that match everything else. */
abstract class ReadText extends IdSet {
  readonly cost = COST.all;

  constructor(
    protected readonly reader: Reader,
    private readonly messageOf: Lookup,
  ) {
    super();
  }

  protected abstract holds(message: Message): boolean;

  chunks(from: number, to: number, reverse: boolean): Iterable<number> {
    return everyChunk(from, to, reverse);
  }

  union(chunk: Chunk, n: number): void {
    const all = setRange(emptyChunk(), 0, CHUNK_IDS - 1);
    this.intersect(all, n);
    or(chunk, all);
  }

  override intersect(chunk: Chunk, n: number): void {
    const requested = chunk.slice();
    eachOffset(requested, (offset) => {
      const message = this.messageOf(idOf(n, offset));
      if (!message || !this.holds(message)) clearRange(chunk, offset, offset);
    });
  }

  protected topicOf({ topic_id }: Message): string {
    return topic_id === 0 ? "" : (this.reader.topics.get(topic_id)?.name ?? "");
  }
}

const seenText = ({ content, rendered_content }: Message) =>
  rendered_content === null ? content : plainText(rendered_content);

/** Messages that contain the text literally. */
export class LiteralMatches extends ReadText {
  readonly text: string;

  constructor(
    reader: Reader,
    messageOf: Lookup,
    private readonly literal: string,
    private readonly isRaw: boolean,
  ) {
    super(reader, messageOf);
    this.text = JSON.stringify(literal);
  }

  protected holds(message: Message): boolean {
    const text = this.isRaw ? message.content : seenText(message);
    return [text, this.topicOf(message)].some((item) => folded(item).includes(this.literal));
  }
}

/** Messages that contain all of the words in their text or topic. */
export class WordMatches extends ReadText {
  readonly text: string;

  constructor(
    reader: Reader,
    messageOf: Lookup,
    private readonly words: readonly QueryWord[],
  ) {
    super(reader, messageOf);
    this.text = `read ${JSON.stringify(words)}`;
  }

  protected holds(message: Message): boolean {
    const text = `${seenText(message)}\n${this.topicOf(message)}`;
    const words = folded(text).match(WORDS) ?? [];
    return this.words.every((word) => words.some((item) => matchesQuery(item, word)));
  }
}
