// Loads the messages of a view, and adds them to the state.
import type { NarrowTerm } from "../../text/narrow-fragment.ts";
import type { Priority } from "../api/request-queue.ts";
import { fetchMessages, type FoundMessage } from "../api/calls.ts";
import { recordConversation } from "../features/conversations/state.ts";
import { conversationKey, peopleOf } from "../conversation-keys.ts";
import { reduceMessages, takeMessage } from "../features/messages/state.ts";
import type { Message } from "../contract/message.ts";
import { recordTopic } from "../features/topics/state.ts";
import { personal, sync } from "./session.ts";
import { withConcurrentEvents, getState, invalidate } from "../store/store.ts";
import type { Changed, Event } from "../contract/snapshot.ts";
import { viewKey, wireTerms } from "../store/narrow.ts";
import { reduceView } from "../store/feed-view.ts";
import {
  type FetchAnchor,
  type FeedView,
  type Segment,
  newestSegment,
  segmentAt,
  segmentOf,
  addSegment,
} from "../feed/segments.ts";

const FIRST_BEFORE = 30;
const FIRST_AFTER = 50;
const RANGE_COUNT = 100;
/** Terms added to every request: spectators are limited to public content. */
export const spectatorTerms: NarrowTerm[] = [];

export const MESSAGE_FORMAT = {
  client_gravatar: false,
  allow_empty_topic_name: true,
  apply_markdown: true,
};

interface RangeQuery {
  anchor: string;
  /** For dates, in ISO 8601. */
  anchor_date?: string;
  num_before: number;
  num_after: number;
}

/** Loads the range around the anchor, and returns the message to scroll to. */
export async function fetchAround(
  view: FeedView,
  anchor: FetchAnchor,
  more: { priority?: Priority; anchor_date?: string; isJoin?: boolean; num_before?: number } = {},
): Promise<number | undefined> {
  const knownId = loadedAnchor(view, anchor);
  if (knownId !== undefined) return knownId;
  const isEnd = anchor === "newest";
  // The view continues with each arriving message.
  if (isEnd && !view.provisional && newestSegment(view)) return undefined;
  const { anchor_date } = more;
  const params = {
    anchor: `${anchor}`,
    ...(anchor_date !== undefined && { anchor_date }),
    // Cached messages stay if they are still current.
    num_before: more.num_before ?? (isEnd || more.isJoin ? RANGE_COUNT : FIRST_BEFORE),
    num_after: isEnd ? 0 : FIRST_AFTER,
  };
  const response = await fetchRange(view, params, more);
  const { found_newest } = response;
  // If no message is unread, the server's anchor is after all messages.
  const canHaveNewer = anchor === "first_unread" || anchor === "date";
  if (canHaveNewer && response.anchor > (response.ids.at(-1) ?? 0) && found_newest) {
    return undefined;
  }
  return isEnd ? undefined : response.anchor;
}

function loadedAnchor(view: FeedView, anchor: FetchAnchor): number | undefined {
  if (typeof anchor !== "number" || view.provisional) return undefined;
  return segmentAt(view, anchor) ? anchor : undefined;
}

/** Fetches messages before there is a state to add them to. */
export async function fetchBeforeState(
  terms: readonly NarrowTerm[],
  anchor: FetchAnchor,
): Promise<{ messages: Message[]; ranges: Segment[] }> {
  const narrow = wireTerms(terms);
  const range = { anchor: `${anchor}`, num_before: FIRST_BEFORE, num_after: FIRST_AFTER };
  const response = await fetchMessages(sync, { narrow, ...range, ...MESSAGE_FORMAT });
  const segment = segmentOf(response);
  return { messages: response.messages, ranges: segment ? [segment] : [] };
}

/** Loads messages beyond an end of a known range. */
export async function fetchMore(
  view: FeedView,
  segment: Segment,
  direction: "up" | "down",
): Promise<void> {
  const isUp = direction === "up";
  const edge = isUp ? segment.ids[0] : segment.ids.at(-1);
  const beyond = isUp ? segment.to : segment.from;
  const anchor = edge === undefined && beyond === Infinity ? "newest" : `${edge ?? beyond}`;
  const params = { anchor, num_before: isUp ? RANGE_COUNT : 0, num_after: isUp ? 0 : RANGE_COUNT };
  await fetchRange(view, params, edge === undefined ? {} : { edge });
}

async function fetchRange(
  view: FeedView,
  rangeQuery: RangeQuery,
  { edge, ...more }: { priority?: Priority; edge?: number } = {},
): Promise<{ anchor: number; ids: number[]; found_newest: boolean }> {
  const narrow = wireTerms([...view.terms, ...spectatorTerms]);
  const request = () => fetchMessages(sync, { narrow, ...rangeQuery, ...MESSAGE_FORMAT }, more);
  const [response, concurrent] = await withConcurrentEvents(request);
  const messages = response.messages.map((message) => withoutMarks(view, message));
  const segment = segmentOf({ ...response, messages }, edge);
  storeMessages(messages, concurrent, segment && { view, segment });
  return {
    anchor: response.anchor,
    ids: messages.map(({ id }) => id),
    found_newest: response.found_newest,
  };
}

/** The same message may be displayed in views without a search. */
function withoutMarks(view: FeedView, foundMessage: FoundMessage): Message {
  const { match_content, match_subject, ...message } = foundMessage;
  if (match_content !== undefined) {
    const { content: originalContent, id } = message;
    view.marked.set(id, {
      original: originalContent,
      content: match_content,
      subject: match_subject ?? "",
    });
  }
  return message;
}

/**
 * Also updates topics and conversations. `concurrent`: events that arrived meanwhile and may be
 * newer.
 */
export function storeMessages(
  messages: readonly Message[],
  concurrent: readonly Event[] = [],
  into?: { view: FeedView; segment: Segment },
): void {
  const state = getState();
  const changed: Changed = new Set();
  for (const message of messages) takeMessage(state.messages, message, changed);
  if (into) {
    addSegment(into.view, into.segment);
    changed.add(viewKey(into.view.terms));
  }
  for (const event of concurrent) {
    reduceMessages(state.messages, event, changed, state.channels);
    if (into) reduceView(into.view, event, state);
  }
  for (const { id } of messages) {
    const message = state.messages.byId.get(id);
    if (message?.type === "stream") {
      recordTopic(state.topics, message.stream_id, { name: message.subject, max_id: id }, changed);
    } else if (message && typeof message.display_recipient !== "string") {
      const ids = message.display_recipient.map((person) => person.id);
      const people = peopleOf(ids, state.people.me);
      if (state.conversations.conversations.has(conversationKey(people))) continue;
      recordConversation(state.conversations, people, id, changed);
    }
  }
  invalidate(changed);
  // Applies the user's unconfirmed actions again.
  personal.peek()?.mutations.reapply();
}
