// Fetches the messages of a view, and takes them into what is known.
import type { NarrowTerm } from "../../text/narrow-fragment.ts";
import type { Priority } from "../api/ask.ts";
import { fetchMessages, type Found } from "../api/calls.ts";
import { conversationKey, noteConversation, peopleOf } from "../features/conversations/state.ts";
import { type Message, reduceMessages, takeMessage } from "../features/messages/state.ts";
import { noteTopic } from "../features/topics/state.ts";
import { desk, sync } from "../here.ts";
import { flown, now, touch } from "../live.ts";
import type { Changed, Event } from "../snapshot.ts";
import { viewKey, wireNarrow } from "./narrow.ts";
import {
  type FeedView,
  newestSegment,
  reduceView,
  type Segment,
  segmentAt,
  segmentOf,
  takeSegment,
} from "./view.ts";

const FIRST_BEFORE = 30;
const FIRST_AFTER = 50;
const MORE = 100;
/** Terms that every fetch has besides: what a visitor asks for is to be open to everyone. */
export const within: NarrowTerm[] = [];

export const FORMS = { client_gravatar: false, allow_empty_topic_name: true, apply_markdown: true };

/** The position at which a view opens: a message, the first unread one, or the end. */
export type Anchor = number | "first_unread" | "newest" | "oldest" | "date";

interface Asked {
  anchor: string;
  /** For dates, in ISO 8601. */
  anchor_date?: string;
  num_before: number;
  num_after: number;
}

/** Makes the range around the anchor known; gives the message that one is to stand at. */
export async function fetchAround(
  view: FeedView,
  anchor: Anchor,
  more: { priority?: Priority; anchor_date?: string; isJoin?: boolean; num_before?: number } = {},
): Promise<number | undefined> {
  const known = knownAt(view, anchor);
  if (known !== undefined) return known;
  const isEnd = anchor === "newest";
  // The view continues with each arriving message.
  if (isEnd && !view.provisional && newestSegment(view)) return undefined;
  const { anchor_date } = more;
  const asked = {
    anchor: `${anchor}`,
    ...(anchor_date !== undefined && { anchor_date }),
    // Cached messages stay if they are still current.
    num_before: more.num_before ?? (isEnd || more.isJoin ? MORE : FIRST_BEFORE),
    num_after: isEnd ? 0 : FIRST_AFTER,
  };
  const answer = await fetched(view, asked, more);
  const { found_newest } = answer;
  // With nothing unread, the server's anchor is after all messages.
  const mayBeBeyond = anchor === "first_unread" || anchor === "date";
  if (mayBeBeyond && answer.anchor > (answer.ids.at(-1) ?? 0) && found_newest) {
    return undefined;
  }
  return isEnd ? undefined : answer.anchor;
}

function knownAt(view: FeedView, anchor: Anchor): number | undefined {
  if (typeof anchor !== "number" || view.provisional) return undefined;
  return segmentAt(view, anchor) ? anchor : undefined;
}

/** Fetches messages before there is a state to add them to. */
export async function fetchApart(
  terms: readonly NarrowTerm[],
  anchor: Anchor,
): Promise<{ messages: Message[]; ranges: Segment[] }> {
  const narrow = JSON.parse(wireNarrow(terms)) as unknown[];
  const around = { anchor: `${anchor}`, num_before: FIRST_BEFORE, num_after: FIRST_AFTER };
  const answer = await fetchMessages(sync, { narrow, ...around, ...FORMS });
  const segment = segmentOf(answer);
  return { messages: answer.messages, ranges: segment ? [segment] : [] };
}

/** Beyond an end of a known range. */
export async function fetchMore(
  view: FeedView,
  segment: Segment,
  way: "up" | "down",
): Promise<void> {
  const isUp = way === "up";
  const edge = isUp ? segment.ids[0] : segment.ids.at(-1);
  const beyond = isUp ? segment.to : segment.from;
  const anchor = edge === undefined && beyond === Infinity ? "newest" : `${edge ?? beyond}`;
  const asked = { anchor, num_before: isUp ? MORE : 0, num_after: isUp ? 0 : MORE };
  await fetched(view, asked, edge === undefined ? {} : { edge });
}

async function fetched(
  view: FeedView,
  asked: Asked,
  { edge, ...more }: { priority?: Priority; edge?: number } = {},
): Promise<{ anchor: number; ids: number[]; found_newest: boolean }> {
  const narrow = JSON.parse(wireNarrow([...view.terms, ...within])) as unknown[];
  const ask = () => fetchMessages(sync, { narrow, ...asked, ...FORMS }, more);
  const [answer, came] = await flown(ask);
  const messages = answer.messages.map((message) => withoutMarks(view, message));
  const segment = segmentOf({ ...answer, messages }, edge);
  takeMessages(messages, came, segment && { view, segment });
  return {
    anchor: answer.anchor,
    ids: messages.map(({ id }) => id),
    found_newest: answer.found_newest,
  };
}

/** The same message is shown elsewhere too, where nothing was searched for. */
function withoutMarks(view: FeedView, found: Found): Message {
  const { match_content, match_subject, ...message } = found;
  if (match_content !== undefined) {
    const { content: of, id } = message;
    view.marked.set(id, { of, content: match_content, subject: match_subject ?? "" });
  }
  return message;
}

/** Also tells topics and conversations of what was seen. `came`: meanwhile, and may be newer. */
export function takeMessages(
  messages: readonly Message[],
  came: readonly Event[] = [],
  into?: { view: FeedView; segment: Segment },
): void {
  const known = now();
  const changed: Changed = new Set();
  for (const message of messages) takeMessage(known.messages, message, changed);
  if (into) {
    takeSegment(into.view, into.segment);
    changed.add(viewKey(into.view.terms));
  }
  for (const event of came) {
    reduceMessages(known.messages, event, changed, known.channels);
    if (into) reduceView(into.view, event, known);
  }
  for (const { id } of messages) {
    const message = known.messages.byId.get(id);
    if (message?.type === "stream") {
      noteTopic(known.topics, message.stream_id!, { name: message.subject, max_id: id }, changed);
    } else if (message && typeof message.display_recipient !== "string") {
      const ids = message.display_recipient.map((person) => person.id);
      const people = peopleOf(ids, known.people.me);
      if (known.conversations.conversations.has(conversationKey(people))) continue;
      noteConversation(known.conversations, people, id, changed);
    }
  }
  touch(changed);
  // The server has not heard yet of all that was done.
  desk.peek()?.doings.show();
}
