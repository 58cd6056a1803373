// What a poll is after all that was added to it, and what adding to it says.

/** What was added, by whom; the id is below 0 while it is on its way to the server. */
export interface Added {
  id: number;
  sender_id: number;
  content: string;
}

export interface Option {
  /** Whose it is and which of theirs: `canned,0`, `12,1`. */
  key: string;
  text: string;
  /** The people who are for it. */
  votes: number[];
  /** The server has still to say under which number. */
  isOnItsWay?: boolean;
}

export interface Poll {
  kind: "poll";
  question: string;
  options: Option[];
}

/** The sender's own options come with the message. */
export const CANNED = "canned";

/** Undefined: what the message holds is no poll. Additions that make no sense are passed over. */
export function pollOf(submessages: readonly Added[], author: number): Poll | undefined {
  const [first, ...additions] = inOrder(submessages);
  const { widget_type, extra_data } = parsed(first?.content);
  if (widget_type !== "poll") return undefined;
  const { question = "", options = [] } = (extra_data ?? {}) as Record<string, never>;
  const poll: Poll = { kind: "poll", question: String(question), options: [] };
  for (const [idx, option] of (options as unknown[]).entries())
    addOption(poll, CANNED, { idx, option });
  for (const one of additions) add(poll, one, author);
  return poll;
}

function add(poll: Poll, { id, sender_id, content }: Added, author: number): void {
  const addition = parsed(content);
  if (addition["type"] === "new_option") addOption(poll, sender_id, addition, id < 0);
  else if (addition["type"] === "question") {
    if (sender_id === author) poll.question = String(addition["question"]);
  } else if (addition["type"] === "vote") {
    const option = poll.options.find(({ key, text }) => isMeant(id, addition, key, text));
    if (!option) return;
    const isFor = option.votes.includes(sender_id);
    if (addition["vote"] !== 1) option.votes = option.votes.filter((id) => id !== sender_id);
    else if (!isFor) option.votes.push(sender_id);
  }
}

function addOption(
  { options }: Poll,
  by: number | typeof CANNED,
  { idx, option }: Addition,
  isOnItsWay = false,
): void {
  const text = String(option);
  if (options.some((one) => one.text === text)) return;
  const isTaken = options.some(({ key }) => key === `${by},${String(idx)}`);
  if (isTaken && !isOnItsWay) return;
  const key = `${by},${isTaken ? nextNumber(options, `${by},`, "") : String(idx)}`;
  options.push({ key, text, votes: [], ...(isOnItsWay && { isOnItsWay }) });
}

/**
 * What was on its way itself when this was said of it is meant by its words, `of`, whatever number
 * it has by now: another device may have taken that which it had, or another person its words. What
 * the server tells goes by the number alone, as it does in all clients.
 */
export const isMeant = (id: number, { key, of }: Addition, one: string, text: string): boolean =>
  id < 0 && of !== undefined ? of === text : key === one;

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
export function inOrder(submessages: readonly Added[]): Added[] {
  const rank = ({ id }: Added) => (id < 0 ? Infinity : id);
  return submessages.toSorted((a, b) => rank(a) - rank(b) || b.id - a.id);
}
