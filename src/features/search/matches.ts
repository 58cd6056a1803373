// The messages that contain a word or phrase, as lazily evaluated sets.
import type { Reader } from "../../realm.ts";
import type { SearchSegment } from "../../schema/records-messages.ts";
import type { Topic } from "../../schema/records.ts";
import { type Chunk, chunkOf, CHUNK_IDS, idOf, offsetOf } from "../../store/bitmap/bitmap.ts";
import { topicSet } from "../messages/sets/muted.ts";
import { COST, everyChunk, IdSet } from "../messages/sets/sets.ts";
import { firstIdOf, idsIn } from "./segments.ts";
import { TermMatcher, type RequiredWord } from "./term-matcher.ts";

/** A segment together with the smaller segments that were merged into it. */
interface SegmentGroup {
  first: number;
  last: number;
  segments: SearchSegment[];
}

const CHUNK_LEVEL = 1;

/** The complete index in the order of ids. */
export function segmentGroupsOf(reader: Reader): SegmentGroup[] {
  const segments = [...reader.search_segments.range()];
  // Larger segments first, so that their parts are grouped with them.
  segments.sort((a, b) => firstIdOf(a) - firstIdOf(b) || b.level - a.level);
  const groups: SegmentGroup[] = [];
  for (const segment of segments) {
    const first = chunkOf(firstIdOf(segment));
    const last = chunkOf(firstIdOf(segment) + idsIn(Math.max(segment.level, CHUNK_LEVEL)) - 1);
    const group = groups.at(-1);
    if (group && first <= group.last) group.segments.push(segment);
    else groups.push({ first, last, segments: [segment] });
  }
  return groups;
}

/** The messages with a word in their text. */
export class TextMatches extends IdSet {
  readonly cost = COST.person;
  readonly text: string;
  private readonly matcher: TermMatcher;
  /** Offsets by chunk, unordered, with duplicates. */
  private readonly loaded = new Map<SegmentGroup, Map<number, number[]>>();
  /** The most recently used group. */
  private group: SegmentGroup | undefined;

  constructor(
    private readonly reader: Reader,
    private readonly groups: readonly SegmentGroup[],
    required: RequiredWord,
  ) {
    super();
    this.matcher = new TermMatcher(required);
    this.text = `text ${JSON.stringify(required)}`;
  }

  *chunks(from: number, to: number, reverse: boolean): Iterable<number> {
    const groups = this.groups.filter(({ first, last }) => last >= from && first <= to);
    for (const group of reverse ? groups.reverse() : groups) {
      const numbers = [...this.load(group).keys()].sort((a, b) => (reverse ? b - a : a - b));
      for (const n of numbers) if (n >= from && n <= to) yield n;
    }
  }

  union(chunk: Chunk, n: number): void {
    const exists = ({ first, last }: SegmentGroup) => first <= n && n <= last;
    if (!this.group || !exists(this.group)) this.group = this.groups.find(exists);
    const matchedIds = this.group && this.load(this.group).get(n);
    if (matchedIds) for (const offset of matchedIds) chunk[offset >>> 5]! |= 1 << (offset & 31);
  }

  private load(group: SegmentGroup): Map<number, number[]> {
    let chunks = this.loaded.get(group);
    if (chunks) return chunks;
    this.loaded.set(group, (chunks = new Map()));
    const add = (id: number) => {
      const n = chunkOf(id);
      const offsets = chunks.get(n);
      if (offsets) offsets.push(offsetOf(id));
      else chunks.set(n, [offsetOf(id)]);
    };
    for (const segment of group.segments) this.matcher.each(this.reader, segment, add);
    return chunks;
  }
}

/** The messages of topics with a word in their name. */
export class TopicMatches extends IdSet {
  readonly cost = COST.several;
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

  union(chunk: Chunk, n: number): void {
    for (const { topic_id } of this.inChunk(n)) topicSet(this.reader, topic_id).union(chunk, n);
  }

  private inChunk(n: number): Topic[] {
    const [first, last] = [idOf(n, 0), idOf(n, CHUNK_IDS - 1)];
    return this.topics.filter((topic) => topic.last_id >= first && topic.first_id <= last);
  }
}
