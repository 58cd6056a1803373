// The messages that a word or a phrase is found in, as sets that are worked out where one looks.
import type { Reader } from "../../realm.ts";
import type { Message, SearchSegment } from "../../records-messages.ts";
import type { Topic } from "../../records.ts";
import {
  type Chunk,
  chunkOf,
  clearRange,
  CHUNK_IDS,
  eachOffset,
  emptyChunk,
  idOf,
  offsetOf,
  or,
  setRange,
} from "../../store/bitmap.ts";
import { plainText } from "../../text/plain-text.ts";
import { folded } from "../../text/search-words.ts";
import { topicSet } from "../messages/muted.ts";
import type { Lookup } from "../messages/received.ts";
import { everyChunk, IdSet, RANK } from "../messages/sets.ts";
import { Look, type Wanted } from "./look.ts";
import { firstIdOf, idsIn } from "./segments.ts";

/** Segments whose ids lie together: those of a chunk, or of a larger segment with its parts. */
interface Shelf {
  first: number;
  last: number;
  segments: SearchSegment[];
}

const CHUNK_LEVEL = 1;

/** The whole index, in the order of the ids. */
export function shelvesOf(reader: Reader): Shelf[] {
  const segments = [...reader.search_segments.range()];
  // The largest first, so that what it is made of is put beside it.
  segments.sort((a, b) => firstIdOf(a) - firstIdOf(b) || b.level - a.level);
  const shelves: Shelf[] = [];
  for (const segment of segments) {
    const first = chunkOf(firstIdOf(segment));
    const last = chunkOf(firstIdOf(segment) + idsIn(Math.max(segment.level, CHUNK_LEVEL)) - 1);
    const shelf = shelves.at(-1);
    if (shelf && first <= shelf.last) shelf.segments.push(segment);
    else shelves.push({ first, last, segments: [segment] });
  }
  return shelves;
}

/** The messages with a word in their text. */
export class InText extends IdSet {
  readonly rank = RANK.person;
  readonly text: string;
  private readonly look: Look;
  /** By chunk: the offsets, in no order, some twice. */
  private readonly loaded = new Map<Shelf, Map<number, number[]>>();
  /** Where one looked last. */
  private shelf: Shelf | undefined;

  constructor(
    private readonly reader: Reader,
    private readonly shelves: readonly Shelf[],
    wanted: Wanted,
  ) {
    super();
    this.look = new Look(wanted);
    this.text = `text ${JSON.stringify(wanted)}`;
  }

  *chunks(from: number, to: number, reverse: boolean): Iterable<number> {
    const shelves = this.shelves.filter(({ first, last }) => last >= from && first <= to);
    for (const shelf of reverse ? shelves.reverse() : shelves) {
      const numbers = [...this.load(shelf).keys()].sort((a, b) => (reverse ? b - a : a - b));
      for (const n of numbers) if (n >= from && n <= to) yield n;
    }
  }

  addTo(chunk: Chunk, n: number): void {
    const isThere = ({ first, last }: Shelf) => first <= n && n <= last;
    if (!this.shelf || !isThere(this.shelf)) this.shelf = this.shelves.find(isThere);
    const found = this.shelf && this.load(this.shelf).get(n);
    if (found) for (const offset of found) chunk[offset >>> 5]! |= 1 << (offset & 31);
  }

  private load(shelf: Shelf): Map<number, number[]> {
    let chunks = this.loaded.get(shelf);
    if (chunks) return chunks;
    this.loaded.set(shelf, (chunks = new Map()));
    const add = (id: number) => {
      const n = chunkOf(id);
      const offsets = chunks.get(n);
      if (offsets) offsets.push(offsetOf(id));
      else chunks.set(n, [offsetOf(id)]);
    };
    for (const segment of shelf.segments) this.look.each(this.reader, segment, add);
    return chunks;
  }
}

/** The messages of topics with a word in their name. */
export class InTopics extends IdSet {
  readonly rank = RANK.several;
  readonly text: string;

  constructor(
    private readonly reader: Reader,
    private readonly topics: readonly Topic[],
  ) {
    super();
    this.text = `in ${topics.length} topics`;
  }

  *chunks(from: number, to: number, reverse: boolean): Iterable<number> {
    for (const n of everyChunk(from, to, reverse)) if (this.inChunk(n).length > 0) yield n;
  }

  addTo(chunk: Chunk, n: number): void {
    for (const { topic_id } of this.inChunk(n)) topicSet(this.reader, topic_id).addTo(chunk, n);
  }

  private inChunk(n: number): Topic[] {
    const [first, last] = [idOf(n, 0), idOf(n, CHUNK_IDS - 1)];
    return this.topics.filter((topic) => topic.last_id >= first && topic.first_id <= last);
  }
}

/** Where a text stands as it is: asked of each message that everything else has left. */
export class Literally extends IdSet {
  readonly rank = RANK.all;
  readonly text: string;

  constructor(
    private readonly reader: Reader,
    private readonly messageOf: Lookup,
    private readonly literal: string,
    private readonly isRaw: boolean,
  ) {
    super();
    this.text = JSON.stringify(literal);
  }

  chunks(from: number, to: number, reverse: boolean): Iterable<number> {
    return everyChunk(from, to, reverse);
  }

  addTo(chunk: Chunk, n: number): void {
    const all = setRange(emptyChunk(), 0, CHUNK_IDS - 1);
    this.keepIn(all, n);
    or(chunk, all);
  }

  override keepIn(chunk: Chunk, n: number): void {
    const asked = chunk.slice();
    eachOffset(asked, (offset) => {
      const message = this.messageOf(idOf(n, offset));
      if (!message || !this.stands(message)) clearRange(chunk, offset, offset);
    });
  }

  private stands({ content, rendered_content, topic_id }: Message): boolean {
    const { literal, isRaw } = this;
    const isPlain = isRaw || rendered_content === null;
    if (folded(isPlain ? content : plainText(rendered_content)).includes(literal)) return true;
    const topic = topic_id === 0 ? "" : this.reader.topics.get(topic_id)?.name;
    return topic !== undefined && folded(topic).includes(literal);
  }
}
