// Divides messages into rows, separators and topic bars.
import type { Message } from "../contract/message.ts";
import { peopleOf, topicKey } from "../conversation-keys.ts";
import { dayKey } from "../words/dates.ts";
import type { ConversationRef } from "../views.ts";

/** Consecutive messages of a sender within this time share one header. */
const GROUP_SECONDS = 600;

interface FeedRow {
  message: Message;
  /** Whether the row above already shows the sender and the time. */
  isFollowUp: boolean;
}

/** Messages between two separators, or of one conversation in a view of several. */
export interface MessageRun {
  key: string;
  /**
   * The separator above: a day (a time in it, in seconds), the New line, or a conversation's bar. A
   * day that begins with the New line has no row of its own.
   */
  head:
    | { kind: "day"; time: number }
    | { kind: "new" }
    /** `hit`: the only message below it, if each message is a separate result. */
    | { kind: "bar"; conversation: ConversationRef; time: number; result: Message | undefined };
  rows: FeedRow[];
}

export interface Layout {
  me: number;
  /** Several conversations in sequence, each below its bar. */
  isInterleaved: boolean;
  /** Every message is a separate result and not grouped with the previous one. */
  isScattered: boolean;
  /**
   * The first message that was unread when the view was opened; does not change while it is open.
   */
  newFrom: number | undefined;
}

export function runsOf(messages: readonly Message[], layout: Layout): MessageRun[] {
  const runs: MessageRun[] = [];
  let before: Message | undefined;
  for (const message of messages) {
    const heads = headsOf(message, before, layout);
    for (const head of heads) {
      runs.push({ key: keyOf(head, message, layout.me), head, rows: [] });
    }
    const isFollowUp =
      heads.length === 0 && before !== undefined && continues(message, before, layout);
    // The first message always starts a run.
    runs.at(-1)!.rows.push({ message, isFollowUp });
    before = message;
  }
  return runs;
}

/** A separate run, for a message that stays in the page although its neighbors do not. */
export function detachedRun(message: Message, layout: Layout): MessageRun {
  const runs = runsOf([message], { ...layout, newFrom: undefined });
  return { ...runs[0]!, key: `kept ${message.id}` };
}

/** The separators before a message, each starting a run. Empty if the run continues. */
function headsOf(
  message: Message,
  before: Message | undefined,
  { me, isInterleaved, isScattered, newFrom }: Layout,
): MessageRun["head"][] {
  const { timestamp } = message;
  const isSameDay = before !== undefined && dayKey(before.timestamp) === dayKey(timestamp);
  if (isInterleaved) {
    const isSame =
      before !== undefined && conversationIdOf(before, me) === conversationIdOf(message, me);
    if (isSame && isSameDay && !isScattered) return [];
    const result = isScattered ? message : undefined;
    return [
      { kind: "bar", conversation: conversationOfMessage(message, me), time: timestamp, result },
    ];
  }
  const day: MessageRun["head"][] = isSameDay ? [] : [{ kind: "day", time: timestamp }];
  return message.id === newFrom ? [...day, { kind: "new" }] : day;
}

function keyOf(head: MessageRun["head"], message: Message, me: number): string {
  if (head.kind === "new") return "new";
  if (head.kind === "day") return `day ${dayKey(head.time)}`;
  return `bar ${conversationIdOf(message, me)} ${message.id}`;
}

function continues(message: Message, before: Message, layout: Layout): boolean {
  if (layout.isScattered) return false;
  const seconds = message.timestamp - before.timestamp;
  return message.sender_id === before.sender_id && seconds <= GROUP_SECONDS;
}

export function conversationOfMessage(message: Message, me: number): ConversationRef {
  if (message.type === "stream") return { stream_id: message.stream_id, topic: message.subject };
  const ids = message.display_recipient.map(({ id }) => id);
  return { user_ids: peopleOf(ids, me) };
}

function conversationIdOf(message: Message, me: number): string {
  const conversation = conversationOfMessage(message, me);
  if ("user_ids" in conversation) return `dm ${conversation.user_ids}`;
  // A topic that was renamed in between is still the same conversation.
  return topicKey(conversation.stream_id, conversation.topic);
}
