// Divides messages into rows, separators and topic bars.
import { peopleOf } from "../features/conversations/state.ts";
import type { Message } from "../features/messages/state.ts";
import { topicKey } from "../features/topics/state.ts";
import { dayKey } from "../words/dates.ts";
import type { Place } from "../views.ts";

/** Neighbours of one sender within this time stand under one name. */
const GROUP_SECONDS = 600;

export interface Row {
  message: Message;
  /** Its sender and time stand above already. */
  isFollowUp: boolean;
}

/** Messages between two lines, or of one conversation in a view of many. */
export interface Run {
  key: string;
  /**
   * The separator above: a day (a time in it, in seconds), the New line, or a conversation's bar. A
   * day that begins with the New line has no row of its own.
   */
  head:
    | { kind: "day"; at: number }
    | { kind: "new" }
    /** `hit`: the one message that it stands above, where each is a hit for itself. */
    | { kind: "bar"; place: Place; at: number; hit: Message | undefined };
  rows: Row[];
}

export interface Layout {
  me: number;
  /** Conversations follow one another, each under its bar. */
  isInterleaved: boolean;
  /** Every message is a hit for itself: none is grouped with the one before. */
  isScattered: boolean;
  /** The first message that was unread when the view was opened; it stays as long as the view. */
  newFrom: number | undefined;
}

export function runsOf(messages: readonly Message[], layout: Layout): Run[] {
  const runs: Run[] = [];
  let run: Run | undefined;
  let before: Message | undefined;
  for (const message of messages) {
    const heads = headsOf(message, before, layout);
    for (const head of heads) {
      run = { key: keyOf(head, message, layout.me), head, rows: [] };
      runs.push(run);
    }
    const isFollowUp =
      heads.length === 0 && before !== undefined && continues(message, before, layout);
    run!.rows.push({ message, isFollowUp });
    before = message;
  }
  return runs;
}

/** A run of its own, for a message that stays in the page apart from those around it. */
export function keptRun(message: Message, layout: Layout): Run {
  const [run] = runsOf([message], { ...layout, newFrom: undefined });
  return { ...run!, key: `kept ${message.id}` };
}

/** The separators before a message, each starting a run. Empty if the run continues. */
function headsOf(
  message: Message,
  before: Message | undefined,
  { me, isInterleaved, isScattered, newFrom }: Layout,
): Run["head"][] {
  const { timestamp: at } = message;
  const isSameDay = before !== undefined && dayKey(before.timestamp) === dayKey(at);
  if (isInterleaved) {
    const isSame = before !== undefined && placeKey(before, me) === placeKey(message, me);
    if (isSame && isSameDay && !isScattered) return [];
    const hit = isScattered ? message : undefined;
    return [{ kind: "bar", place: placeOfMessage(message, me), at, hit }];
  }
  const day: Run["head"][] = isSameDay ? [] : [{ kind: "day", at }];
  return message.id === newFrom ? [...day, { kind: "new" }] : day;
}

function keyOf(head: Run["head"], message: Message, me: number): string {
  if (head.kind === "new") return "new";
  if (head.kind === "day") return `day ${dayKey(head.at)}`;
  return `bar ${placeKey(message, me)} ${message.id}`;
}

function continues(message: Message, before: Message, layout: Layout): boolean {
  if (layout.isScattered) return false;
  const seconds = message.timestamp - before.timestamp;
  return message.sender_id === before.sender_id && seconds <= GROUP_SECONDS;
}

export function placeOfMessage(message: Message, me: number): Place {
  const { stream_id, subject, display_recipient } = message;
  if (message.type === "stream") return { stream_id: stream_id!, topic: subject };
  const people = typeof display_recipient === "string" ? [] : display_recipient;
  const ids = people.map(({ id }) => id);
  return { user_ids: peopleOf(ids, me) };
}

function placeKey(message: Message, me: number): string {
  const place = placeOfMessage(message, me);
  if ("user_ids" in place) return `dm ${place.user_ids}`;
  // A topic that was renamed in between is still one conversation.
  return topicKey(place.stream_id, place.topic);
}
