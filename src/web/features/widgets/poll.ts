// What a poll is after all that was added to it, and what adding to it says.
import type { Submessage } from "../messages/state.ts";

export interface Option {
  /** Whose it is and which of theirs: `canned,0`, `12,1`. */
  key: string;
  text: string;
  /** The people who are for it. */
  votes: number[];
}

export interface Poll {
  kind: "poll";
  question: string;
  options: Option[];
}

/** The sender's own options come with the message. */
export const CANNED = "canned";

/** Undefined: what the message holds is no poll. Additions that make no sense are passed over. */
export function pollOf(submessages: readonly Submessage[], author: number): Poll | undefined {
  const [first, ...additions] = inOrder(submessages);
  const { widget_type, extra_data } = parsed(first?.content);
  if (widget_type !== "poll") return undefined;
  const { question = "", options = [] } = (extra_data ?? {}) as Record<string, never>;
  const poll: Poll = { kind: "poll", question: String(question), options: [] };
  for (const [idx, text] of (options as unknown[]).entries()) addOption(poll, CANNED, idx, text);
  for (const { sender_id, content } of additions) add(poll, sender_id, author, parsed(content));
  return poll;
}

function add(poll: Poll, sender_id: number, author: number, addition: Addition): void {
  if (addition["type"] === "new_option") {
    addOption(poll, sender_id, addition["idx"], addition["option"]);
  } else if (addition["type"] === "question") {
    if (sender_id === author) poll.question = String(addition["question"]);
  } else if (addition["type"] === "vote") {
    const option = poll.options.find(({ key }) => key === addition["key"]);
    if (!option) return;
    const isFor = option.votes.includes(sender_id);
    if (addition["vote"] !== 1) option.votes = option.votes.filter((id) => id !== sender_id);
    else if (!isFor) option.votes.push(sender_id);
  }
}

function addOption(poll: Poll, by: number | typeof CANNED, idx: unknown, text: unknown): void {
  const key = `${by},${String(idx)}`;
  const isKnown = poll.options.some((one) => one.key === key || one.text === text);
  if (!isKnown) poll.options.push({ key, text: String(text), votes: [] });
}

/** For an option, or no more. */
export function voteOn({ key, votes }: Option, me: number): Addition {
  return { type: "vote", key, vote: votes.includes(me) ? -1 : 1 };
}

/** The number that no option of this person has yet. */
export function newOption(poll: Poll, me: number, option: string): Addition {
  return { type: "new_option", idx: nextNumber(poll.options, `${me},`, ""), option };
}

export function nextNumber(
  entries: readonly { key: string }[],
  before: string,
  after: string,
): number {
  const own = entries.flatMap(({ key }) =>
    key.startsWith(before) && key.endsWith(after)
      ? [Number(key.slice(before.length, key.length - after.length))]
      : [],
  );
  return Math.max(0, ...own) + 1;
}

export type Addition = Record<string, unknown>;

/** What is no JSON of ours says nothing. */
export function parsed(content: string | undefined): Addition {
  try {
    const value: unknown = JSON.parse(content ?? "");
    return typeof value === "object" && value !== null ? (value as Addition) : {};
  } catch {
    return {};
  }
}

/** As they were added: what is on its way comes last. */
export function inOrder(submessages: readonly Submessage[]): Submessage[] {
  const rank = ({ id }: Submessage) => (id < 0 ? Infinity : id);
  return submessages.toSorted((a, b) => rank(a) - rank(b) || b.id - a.id);
}
