// The known messages of a narrow: ranges of ids without gaps.
import type { NarrowTerm } from "../../text/narrow-fragment.ts";
import { type Channel, isSubscribed } from "../features/channels/state.ts";
import type { Message } from "../features/messages/state.ts";
import type { Event } from "../snapshot.ts";
import type { State } from "../state.ts";
import { holds, narrowKey } from "./narrow.ts";

/** Between `from` and `to`, both included, the narrow holds these ids and no others. */
export interface Segment {
  /** 0: from the first message on. */
  from: number;
  /** Infinity: up to what comes next. */
  to: number;
  ids: number[];
}

export interface FeedView {
  key: string;
  terms: readonly NarrowTerm[];
  /** Ascending, and never touching: what meets is joined. */
  segments: Segment[];
  /** Messages that arrived and for which only the server can tell whether they match. */
  readonly unsure: number[];
  /** For searches: messages with highlighted terms. */
  marked: Map<number, Marked>;
  /** Displayed and yet to be requested, since some events are missing. */
  provisional: "disk" | "early" | undefined;
  /** Grows when ids come or go. */
  revision: number;
}

/** HTML of a message as it was when it was found. */
export interface Marked {
  of: string;
  content: string;
  subject: string;
}

/** Limit for views that are not visible. Beyond it, the newest range ends. */
const UNSURE_MAX = 1000;

export function newView(terms: readonly NarrowTerm[]): FeedView {
  const known = { segments: [], unsure: [], marked: new Map<number, Marked>() };
  return { key: narrowKey(terms), terms, ...known, provisional: undefined, revision: 0 };
}

/** The range that a message would be in. */
export function segmentAt({ segments }: FeedView, id: number): Segment | undefined {
  return segments.find(({ from, to }) => from <= id && id <= to);
}

/** The range that goes on with what arrives. */
export function newestSegment({ segments }: FeedView): Segment | undefined {
  const last = segments.at(-1);
  return last?.to === Infinity ? last : undefined;
}

/** A fetched range is joined with all that it meets; what was provisional gives way to it. */
export function takeSegment(view: FeedView, fetched: Segment): Segment {
  if (view.provisional) view.segments = [];
  view.provisional = undefined;
  const meets = ({ from, to }: Segment) => from <= fetched.to && fetched.from <= to;
  const joined = view.segments.filter(meets);
  const apart = view.segments.filter((segment) => !meets(segment));
  // Where ranges overlap, the fetched messages are newer.
  const kept = joined.flatMap(({ ids }) =>
    ids.filter((id) => id < fetched.from || id > fetched.to),
  );
  const segment = {
    from: Math.min(fetched.from, ...joined.map(({ from }) => from)),
    to: Math.max(fetched.to, ...joined.map(({ to }) => to)),
    ids: [...kept, ...fetched.ids].sort((a, b) => a - b),
  };
  view.segments = [...apart, segment].sort((a, b) => a.from - b.from);
  view.revision++;
  return segment;
}

/**
 * The range that an answer to `GET /messages` makes known; none where it found nothing at all.
 * `edge`: the message that it goes on from stays, and is the narrow's no more if it was read.
 */
export function segmentOf(
  answer: {
    messages: readonly { id: number }[];
    found_oldest: boolean;
    found_newest: boolean;
  },
  edge?: number,
): Segment | undefined {
  const found = new Set(answer.messages.map(({ id }) => id));
  if (edge !== undefined) found.add(edge);
  const ids = [...found].sort((a, b) => a - b);
  if (ids.length === 0 && !(answer.found_oldest && answer.found_newest)) return undefined;
  return {
    from: answer.found_oldest ? 0 : ids[0]!,
    to: answer.found_newest ? Infinity : ids.at(-1)!,
    ids,
  };
}

/** Applies an event to the view, after the messages themselves were updated. */
export function reduceView(view: FeedView, event: Event, state: State): void {
  switch (event.type) {
    case "message":
      arrive(view, state.messages.byId.get(event.message.id), state);
      return;
    case "delete_message":
      drop(view, event.message_ids ?? [event.message_id]);
      return;
    case "update_message":
      moved(view, event, state);
      return;
    case "update_message_flags":
      // Messages that are read while visible stay in lists of unread messages.
      if ((event.flag === "read" && event.op === "add") || !changesWith(view, "is")) return;
      judge(view, event.all ? allIds(view) : event.messages, state);
      return;
    case "reaction":
      if (changesWith(view, "has")) judge(view, [event.message_id], state);
      return;
    case "user_topic":
      if (changesWith(view, "is")) judge(view, allIds(view), state);
      return;
    case "stream":
      if (event.op === "delete") leave(view, new Set(event.stream_ids), state);
      if (event.op === "create") seeAgain(view, event.streams);
      return;
    case "subscription":
      if (event.op === "remove") loseNewest(view, event.subscriptions);
      if (event.op === "add" && isOfAny(view, event.subscriptions)) doubt(view);
  }
}

/** Views of conversations are what they are, whatever becomes of flags and reactions. */
const changesWith = ({ terms }: FeedView, operator: string): boolean =>
  terms.some((term) => term.operator === operator);

function moved(view: FeedView, event: Event<"update_message">, state: State): void {
  const { message_id, message_ids, stream_id, subject, new_stream_id } = event;
  if (subject === undefined && new_stream_id === undefined) {
    const isJudged = ["is", "has", "search"].some((operator) => changesWith(view, operator));
    if ("content" in event && isJudged) judge(view, [message_id], state);
    return;
  }
  const isOutside = (id: number | undefined) => !isSubscribed(state.channels, id ?? 0);
  if (new_stream_id !== undefined && [stream_id, new_stream_id].some(isOutside))
    for (const id of message_ids) state.messages.crossed.add(id);
  const channel = channelOf(view);
  const touched = [stream_id, new_stream_id].map(String);
  if (channel !== undefined && !touched.includes(channel)) return;
  // Channel messages cannot become direct ones.
  if (isOfDirects(view)) return;
  judge(view, message_ids, state);
  // Also of what stays, the bar above is another now.
  view.revision++;
}

function arrive(view: FeedView, message: Message | undefined, state: State): void {
  const newest = newestSegment(view);
  if (!message || !newest || newest.ids.includes(message.id)) return;
  const answer = holds(view.terms, message, state);
  if (answer === undefined) view.unsure.push(message.id);
  if (answer === true) put(view, newest, message.id);
  if (view.unsure.length > UNSURE_MAX) endBefore(view, newest);
}

/** The narrow holds these, which were unsure. */
export function settle(view: FeedView, held: Iterable<number>): void {
  for (const id of held) {
    const segment = segmentAt(view, id);
    if (segment && !segment.ids.includes(id)) put(view, segment, id);
  }
}

const channelOf = ({ terms }: FeedView): string | undefined =>
  terms.find(({ operator, negated }) => operator === "channel" && !negated)?.operand;

/** No events arrive for channels that the user is not in. */
export function isOutside(view: FeedView, { channels }: State): boolean {
  const channel = channelOf(view);
  return channel !== undefined && !isSubscribed(channels, Number(channel));
}

const isOfDirects = ({ terms }: FeedView): boolean =>
  terms.some(({ operator, negated }) => operator === "dm" && !negated);

/** Not of a channel, whose messages are those of whoever may read it. */
const isOfOwn = (view: FeedView): boolean =>
  channelOf(view) === undefined && !changesWith(view, "channels");

function put(view: FeedView, segment: Segment, id: number): void {
  const { ids } = segment;
  if (id > (ids.at(-1) ?? 0)) ids.push(id);
  else ids.splice(ids.findLastIndex((one) => one < id) + 1, 0, id);
  view.revision++;
}

function drop(view: FeedView, gone: readonly number[]): void {
  const out = new Set(gone);
  for (const segment of view.segments) {
    if (!segment.ids.some((id) => out.has(id))) continue;
    segment.ids = segment.ids.filter((id) => !out.has(id));
    view.revision++;
  }
}

/** Messages changed: each is put where it now belongs, or taken out. */
function judge(view: FeedView, ids: readonly number[], state: State): void {
  for (const id of ids) {
    const segment = segmentAt(view, id);
    if (!segment) continue;
    const isIn = segment.ids.includes(id);
    const message = state.messages.byId.get(id);
    if (!message) {
      // Something that was never seen may have come into the range: it is no longer whole.
      if (!isIn) cut(view, id);
      continue;
    }
    const answer = holds(view.terms, message, state);
    // Few of these are among one's own still, and only the server knows which.
    if (isOfOwn(view) && state.messages.crossed.has(id)) {
      if (answer !== false) view.unsure.push(id);
      drop(view, [id]);
      continue;
    }
    if (answer === true && !isIn) put(view, segment, id);
    if (answer === undefined && !isIn && segment === newestSegment(view)) view.unsure.push(id);
    if (answer === false && isIn) drop(view, [id]);
  }
}

/** Splits a range at a message that may be missing in it. */
function cut(view: FeedView, id: number): void {
  view.segments = view.segments.flatMap((segment) => {
    const { from, to, ids } = segment;
    if (id < from || id > to) return [segment];
    const [before, after] = [ids.filter((one) => one < id), ids.filter((one) => one > id)];
    return [
      ...(before.length > 0 ? [{ from, to: before.at(-1)!, ids: before }] : []),
      ...(after.length > 0 ? [{ from: after[0]!, to, ids: after }] : []),
    ];
  });
  view.revision++;
}

/** Channels are gone from sight, and what was in them. */
function leave(view: FeedView, stream_ids: ReadonlySet<number>, state: State): void {
  const isGone = (id: number) => {
    const stream_id = state.messages.byId.get(id)?.stream_id;
    return stream_id !== undefined && stream_ids.has(stream_id);
  };
  drop(view, allIds(view).filter(isGone));
}

/** No events arrive for a channel that the user has left, so its newest messages become unknown. */
function loseNewest(view: FeedView, left: readonly { stream_id: number }[]): void {
  const newest = newestSegment(view);
  if (newest && isOfAny(view, left)) endBefore(view, newest);
}

/** Messages in channels that are visible again belong to the view again. */
function seeAgain(view: FeedView, channels: readonly Channel[]): void {
  const old = channels.filter(({ first_message_id }) => first_message_id !== null);
  if (isOfAny(view, old) || (old.length > 0 && isOfOwn(view))) doubt(view);
}

/** No event told what became of a channel before one came into it, or it came into sight. */
function doubt(view: FeedView): void {
  if (view.segments.length === 0) return;
  view.provisional ??= "early";
  view.revision++;
}

const isOfAny = (view: FeedView, channels: readonly { stream_id: number }[]): boolean =>
  channels.some(({ stream_id }) => `${stream_id}` === channelOf(view));

/** Messages after the last known one become unknown. */
function endBefore(view: FeedView, newest: Segment): void {
  newest.to = newest.ids.at(-1) ?? newest.from;
  view.unsure.length = 0;
  view.revision++;
}

export function allIds({ segments }: FeedView): number[] {
  return segments.flatMap(({ ids }) => ids);
}
