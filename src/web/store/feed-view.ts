// Applies events to the known messages of a view.
import type { NarrowTerm } from "../../text/narrow-fragment.ts";
import { type Channel, isSubscribed } from "../features/channels/state.ts";
import type { Message } from "../contract/message.ts";
import type { Event } from "../contract/snapshot.ts";
import type { State } from "./state.ts";
import {
  allIds,
  type FeedView,
  type HighlightedContent,
  newestSegment,
  type Segment,
  segmentAt,
} from "../feed/segments.ts";
import { matchesNarrow, narrowKey } from "./narrow.ts";

/**
 * Maximum of unresolved messages in a view that is not displayed. If there are more, messages after
 * them count as not loaded.
 */
const UNSURE_MAX = 1000;

export function newView(terms: readonly NarrowTerm[]): FeedView {
  const fields = { segments: [], unresolved: [], marked: new Map<number, HighlightedContent>() };
  return { key: narrowKey(terms), terms, ...fields, provisional: undefined, revision: 0 };
}

/** Applies an event to the view, after the messages themselves were updated. */
export function reduceView(view: FeedView, event: Event, state: State): void {
  switch (event.type) {
    case "message":
      receiveMessage(view, state.messages.byId.get(event.message.id), state);
      return;
    case "delete_message":
      drop(view, event.message_ids ?? [event.message_id]);
      return;
    case "update_message":
      applyMove(view, event, state);
      return;
    case "update_message_flags":
      // Messages that are read while visible stay in lists of unread messages.
      if ((event.flag === "read" && event.op === "add") || !changesWith(view, "is")) return;
      resolveMatches(view, event.all ? allIds(view) : event.messages, state);
      return;
    case "reaction":
      if (changesWith(view, "has")) resolveMatches(view, [event.message_id], state);
      return;
    case "user_topic":
      if (changesWith(view, "is")) resolveMatches(view, allIds(view), state);
      return;
    case "stream":
      if (event.op === "delete") removeChannelMessages(view, new Set(event.stream_ids), state);
      if (event.op === "create") onChannelsVisibleAgain(view, event.streams);
      return;
    case "subscription":
      if (event.op === "remove") markNewestUnloaded(view, event.subscriptions);
      if (event.op === "add" && isOfAny(view, event.subscriptions)) invalidateView(view);
  }
}

/** Flags and reactions never change which messages a conversation contains. */
const changesWith = ({ terms }: FeedView, operator: string): boolean =>
  terms.some((term) => term.operator === operator);

function applyMove(view: FeedView, event: Event<"update_message">, state: State): void {
  const { message_id, message_ids, stream_id, subject, new_stream_id } = event;
  if (subject === undefined && new_stream_id === undefined) {
    const isJudged = ["is", "has", "search"].some((operator) => changesWith(view, operator));
    if ("content" in event && isJudged) resolveMatches(view, [message_id], state);
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
  resolveMatches(view, message_ids, state);
  // Also for remaining messages, because their heading has changed.
  view.revision++;
}

function receiveMessage(view: FeedView, message: Message | undefined, state: State): void {
  const newest = newestSegment(view);
  if (!message || !newest || newest.ids.includes(message.id)) return;
  const isMatch = matchesNarrow(view.terms, message, state);
  if (isMatch === undefined) view.unresolved.push(message.id);
  if (isMatch === true) insertId(view, newest, message.id);
  if (view.unresolved.length > UNSURE_MAX) endBefore(view, newest);
}

/** These uncertain messages match the narrow. */
export function resolveUncertain(view: FeedView, loadedIds: Iterable<number>): void {
  for (const id of loadedIds) {
    const segment = segmentAt(view, id);
    if (segment && !segment.ids.includes(id)) insertId(view, segment, id);
  }
}

const channelOf = ({ terms }: FeedView): string | undefined =>
  terms.find(({ operator, negated }) => operator === "channel" && !negated)?.operand;

/** No events arrive for channels that the user is not in. */
export function isOfUnsubscribedChannel(view: FeedView, { channels }: State): boolean {
  const channel = channelOf(view);
  return channel !== undefined && !isSubscribed(channels, Number(channel));
}

const isOfDirects = ({ terms }: FeedView): boolean =>
  terms.some(({ operator, negated }) => operator === "dm" && !negated);

/** Channel views contain messages that the user never received, other views do not. */
const isOfOwn = (view: FeedView): boolean =>
  channelOf(view) === undefined && !changesWith(view, "channels");

function insertId(view: FeedView, segment: Segment, id: number): void {
  const { ids } = segment;
  if (id > (ids.at(-1) ?? 0)) ids.push(id);
  else ids.splice(ids.findLastIndex((item) => item < id) + 1, 0, id);
  view.revision++;
}

function drop(view: FeedView, removed: readonly number[]): void {
  const out = new Set(removed);
  for (const segment of view.segments) {
    if (!segment.ids.some((id) => out.has(id))) continue;
    segment.ids = segment.ids.filter((id) => !out.has(id));
    view.revision++;
  }
}

/** Adds changed messages to the view or removes them. */
function resolveMatches(view: FeedView, ids: readonly number[], state: State): void {
  for (const id of ids) {
    const segment = segmentAt(view, id);
    if (!segment) continue;
    const isIncluded = segment.ids.includes(id);
    const message = state.messages.byId.get(id);
    if (!message) {
      // The message may have moved into the range, so the range is split at its id.
      if (!isIncluded) removeId(view, id);
      continue;
    }
    const isMatch = matchesNarrow(view.terms, message, state);
    // Few of these messages are still the user's own, and only the server knows which.
    if (isOfOwn(view) && state.messages.crossed.has(id)) {
      if (isMatch !== false) view.unresolved.push(id);
      drop(view, [id]);
      continue;
    }
    if (isMatch === true && !isIncluded) insertId(view, segment, id);
    if (isMatch === undefined && !isIncluded && segment === newestSegment(view))
      view.unresolved.push(id);
    if (isMatch === false && isIncluded) drop(view, [id]);
  }
}

/** Splits a range at a message that may be missing in it. */
function removeId(view: FeedView, id: number): void {
  view.segments = view.segments.flatMap((segment) => {
    const { from, to, ids } = segment;
    if (id < from || id > to) return [segment];
    const [before, after] = [ids.filter((item) => item < id), ids.filter((item) => item > id)];
    return [
      ...(before.length > 0 ? [{ from, to: before.at(-1)!, ids: before }] : []),
      ...(after.length > 0 ? [{ from: after[0]!, to, ids: after }] : []),
    ];
  });
  view.revision++;
}

/** The channels became inaccessible, so their messages are removed. */
function removeChannelMessages(
  view: FeedView,
  stream_ids: ReadonlySet<number>,
  state: State,
): void {
  const isRemoved = (id: number) => {
    const stream_id = state.messages.byId.get(id)?.stream_id;
    return stream_id !== undefined && stream_ids.has(stream_id);
  };
  drop(view, allIds(view).filter(isRemoved));
}

/** No events arrive for a channel that the user has left, so its newest messages become unknown. */
function markNewestUnloaded(view: FeedView, channels: readonly { stream_id: number }[]): void {
  const newest = newestSegment(view);
  if (newest && isOfAny(view, channels)) endBefore(view, newest);
}

/** Messages in channels that are visible again belong to the view again. */
function onChannelsVisibleAgain(view: FeedView, channels: readonly Channel[]): void {
  const old = channels.filter(({ first_message_id }) => first_message_id !== null);
  if (isOfAny(view, old) || (old.length > 0 && isOfOwn(view))) invalidateView(view);
}

/** There were no events about a channel before the user was subscribed or could see it. */
function invalidateView(view: FeedView): void {
  if (view.segments.length === 0) return;
  view.provisional ??= "early";
  view.revision++;
}

const isOfAny = (view: FeedView, channels: readonly { stream_id: number }[]): boolean =>
  channels.some(({ stream_id }) => `${stream_id}` === channelOf(view));

/** Messages after the last known one become unknown. */
function endBefore(view: FeedView, newest: Segment): void {
  newest.to = newest.ids.at(-1) ?? newest.from;
  view.unresolved.length = 0;
  view.revision++;
}
