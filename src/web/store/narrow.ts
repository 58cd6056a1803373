// Decides whether a message matches a narrow, as far as the client can without the server.
import { ownValue } from "../../text/input/own-value.ts";
import type { NarrowTerm } from "../../text/narrow-fragment.ts";
import type { Message } from "../contract/message.ts";
import { personOf } from "../features/people/state.ts";
import { isTopicMuted, policyOf, VISIBILITY } from "../features/topics/state.ts";
import { foldTopic, peopleOf } from "../conversation-keys.ts";
import { matchDate } from "./match-dates.ts";
import type { State } from "./state.ts";
import { conversationOf } from "../views.ts";

/** undefined: only the server knows, as for searches. */
type Answer = boolean | undefined;
type TermMatcher = (operand: string, message: Message, state: State) => Answer;

const RESOLVED = "✔ ";

const TERM_MATCHERS: Readonly<Record<string, TermMatcher>> = {
  channel: (operand, { stream_id }, { channels }) =>
    stream_id !== undefined &&
    (operand === `${stream_id}` || channels.channels.get(stream_id)?.row.name === operand),
  channels: (operand, { stream_id }, { channels }) => {
    const row = stream_id === undefined ? undefined : channels.channels.get(stream_id)?.row;
    if (operand === "public") return row !== undefined && !row.invite_only;
    return operand === "web-public" ? row?.is_web_public === true : undefined;
  },
  topic: (operand, { stream_id, subject }) =>
    stream_id !== undefined && foldTopic(subject) === foldTopic(operand),
  sender: (operand, { sender_id }, { people }) =>
    operand === `${sender_id}` || personOf(people, sender_id)?.email === operand,
  dm: (operand, message, { people }) => {
    const others = otherParticipants(message, people.me);
    return others !== undefined && `${others}` === `${idsOf(operand, people.me)}`;
  },
  "dm-including": (operand, message, { people }) => {
    const others = otherParticipants(message, people.me);
    return others !== undefined && idsOf(operand, people.me).every((id) => others.includes(id));
  },
  is: (operand, message, state) => ownValue(IS_MATCHERS, operand)?.(message, state),
  has: (operand, { reactions }) => (operand === "reaction" ? reactions.length > 0 : undefined),
  in: (operand, message, state) => operand === "all" || !isMuted(message, state),
  id: (operand, { id }) => operand === `${id}`,
  on: dateMatcher("on"),
  before: dateMatcher("before"),
  after: dateMatcher("after"),
  near: () => true,
  with: () => true,
};

function dateMatcher(operator: string): TermMatcher {
  return (operand, { timestamp }, { settings }) =>
    matchDate(operator, operand, timestamp, String(settings.settings["timezone"] || "UTC"));
}

const IS_MATCHERS: Readonly<Record<string, (message: Message, state: State) => Answer>> = {
  dm: ({ type }) => type === "private",
  starred: ({ flags }) => flags.includes("starred"),
  unread: ({ flags }) => !flags.includes("read"),
  mentioned: ({ flags }) => flags.some((flag) => flag.endsWith("mentioned")),
  alerted: ({ flags }) => flags.includes("has_alert_word"),
  resolved: ({ stream_id, subject }) => stream_id !== undefined && subject.startsWith(RESOLVED),
  followed: ({ stream_id, subject }, { topics }) =>
    stream_id !== undefined && policyOf(topics, stream_id, subject) === VISIBILITY.followed,
  muted: isMuted,
};

function isMuted({ stream_id, subject }: Message, { topics, channels }: State): boolean {
  return stream_id !== undefined && isTopicMuted(topics, channels, stream_id, subject);
}

function otherParticipants({ type, display_recipient }: Message, me: number): number[] | undefined {
  if (type !== "private" || typeof display_recipient === "string") return undefined;
  return peopleOf(
    display_recipient.map(({ id }) => id),
    me,
  );
}

const idsOf = (operand: string, me: number) => peopleOf(operand.split(",").map(Number), me);

/** Whether the message matches the narrow. False is certain if one term fails. */
export function matchesNarrow(
  terms: readonly NarrowTerm[],
  message: Message,
  state: State,
): Answer {
  let result: Answer = true;
  for (const { operator, operand, negated } of terms) {
    const item = ownValue(TERM_MATCHERS, operator)?.(operand, message, state);
    if (item === undefined) result = undefined;
    else if (item === negated) return false;
  }
  return result;
}

/** The terms that select messages, without those for a position. */
export function setTerms(terms: readonly NarrowTerm[]): NarrowTerm[] {
  return terms.filter(({ operator }) => operator !== "near" && operator !== "with");
}

/** Equal for all spellings of the same view. */
export function narrowKey(terms: readonly NarrowTerm[]): string {
  const keyParts = setTerms(terms).map(({ operator, operand, negated }) => {
    const value = operator === "topic" ? foldTopic(operand) : operand;
    return JSON.stringify([negated ? `-${operator}` : operator, value]);
  });
  return keyParts.sort().join();
}

/** Key for rendering that depends on how much of the view is known. */
export const viewKey = (terms: readonly NarrowTerm[]): `view:${string}` =>
  `view:${narrowKey(terms)}`;

/** The form in requests: ids as numbers, users as lists of ids. */
export const wireTerms = (terms: readonly NarrowTerm[]) =>
  terms.map(({ operator, operand, negated }) => {
    return { operator, operand: wireOperand(operator, operand), negated };
  });

const NUMBER_OPERATORS = ["channel", "sender", "dm-including", "id", "near", "with"];

function wireOperand(operator: string, operand: string): unknown {
  if (operator === "dm" && /^\d+(,\d+)*$/.test(operand)) return operand.split(",").map(Number);
  return NUMBER_OPERATORS.includes(operator) && /^\d+$/.test(operand) ? Number(operand) : operand;
}

/**
 * A topic or a direct message conversation, where reading marks messages and the composer has a
 * target.
 */
export function isConversation(terms: readonly NarrowTerm[], me: number): boolean {
  return conversationOf(terms, me) !== undefined;
}

/** Whether the view shows several conversations in sequence, each below its bar. */
export function isInterleaved(terms: readonly NarrowTerm[], me: number): boolean {
  return !isConversation(terms, me);
}

/** Whether consecutive messages belong together and are not separate results. */
export function isContiguous(terms: readonly NarrowTerm[]): boolean {
  return setTerms(terms).every(
    ({ operator, negated }) =>
      !negated && (operator === "channel" || operator === "topic" || operator === "dm"),
  );
}
