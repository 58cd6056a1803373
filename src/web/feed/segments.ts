// The known messages of a view: ranges of ids without gaps.
import type { NarrowTerm } from "../../text/narrow-fragment.ts";

/** The narrow contains exactly these ids between `from` and `to`, both inclusive. */
export interface Segment {
  /** 0: from the first message on. */
  from: number;
  /** Infinity: including messages to come. */
  to: number;
  ids: number[];
}

/** The position at which a view opens: a message, the first unread one, or the end. */
export type FetchAnchor = number | "first_unread" | "newest" | "oldest" | "date";

export interface FeedView {
  key: string;
  terms: readonly NarrowTerm[];
  /** Ascending and separate: adjacent ranges are joined. */
  segments: Segment[];
  /** Messages that arrived and for which only the server can tell whether they match. */
  readonly unresolved: number[];
  /** For searches: messages with highlighted terms. */
  marked: Map<number, HighlightedContent>;
  /** Displayed and yet to be requested, since some events are missing. */
  provisional: "disk" | "early" | undefined;
  /** Grows when ids are added or removed. */
  revision: number;
}

/** HTML of a message with highlighted search terms. */
export interface HighlightedContent {
  original: string;
  content: string;
  subject: string;
}

/** The range that contains or would contain a message. */
export function segmentAt({ segments }: FeedView, id: number): Segment | undefined {
  return segments.find(({ from, to }) => from <= id && id <= to);
}

/** The range to which new messages are added. */
export function newestSegment({ segments }: FeedView): Segment | undefined {
  const last = segments.at(-1);
  return last?.to === Infinity ? last : undefined;
}

/** Adds a fetched range, joins it with adjacent ones, and replaces provisional ones. */
export function addSegment(view: FeedView, fetched: Segment): Segment {
  if (view.provisional) view.segments = [];
  view.provisional = undefined;
  const touches = ({ from, to }: Segment) => from <= fetched.to && fetched.from <= to;
  const joined = view.segments.filter(touches);
  const apart = view.segments.filter((segment) => !touches(segment));
  // Fetched messages replace those of overlapping ranges, since they are newer.
  const stored = joined.flatMap(({ ids }) =>
    ids.filter((id) => id < fetched.from || id > fetched.to),
  );
  const segment = {
    from: Math.min(fetched.from, ...joined.map(({ from }) => from)),
    to: Math.max(fetched.to, ...joined.map(({ to }) => to)),
    ids: [...stored, ...fetched.ids].sort((a, b) => a - b),
  };
  view.segments = [...apart, segment].sort((a, b) => a.from - b.from);
  view.revision++;
  return segment;
}

/**
 * The range that a response to `GET /messages` makes known; undefined if it is empty. `edge`: the
 * message from which the request started; it stays in the page, but leaves the narrow if it was
 * read.
 */
export function segmentOf(
  response: {
    messages: readonly { id: number }[];
    found_oldest: boolean;
    found_newest: boolean;
  },
  edge?: number,
): Segment | undefined {
  const receivedIds = new Set(response.messages.map(({ id }) => id));
  if (edge !== undefined) receivedIds.add(edge);
  const ids = [...receivedIds].sort((a, b) => a - b);
  if (ids.length === 0 && !(response.found_oldest && response.found_newest)) return undefined;
  return {
    from: response.found_oldest ? 0 : ids[0]!,
    to: response.found_newest ? Infinity : ids.at(-1)!,
    ids,
  };
}

export function allIds({ segments }: FeedView): number[] {
  return segments.flatMap(({ ids }) => ids);
}
