// Computes a poll from its additions, and creates additions.
import {
  type AddedEntry,
  type AddedFields,
  widgetContent,
  CANNED,
  Entries,
  listOf,
  nextNumber,
  parsed,
  wordsOf,
} from "./entries.ts";

export interface Option {
  /** Creator and number: `canned,0`, `12,1`. */
  key: string;
  text: string;
  /** User ids of voters, in order of their votes. */
  votes: number[];
  /** The server has not assigned the number yet. */
  isOnItsWay?: boolean;
}

export interface Poll {
  kind: "poll";
  question: string;
  options: Option[];
}

type OptionVotes = Omit<Option, "votes"> & { votes: Set<number> };

/** Returns undefined if the message is not a poll. Ignores invalid additions. */
export function pollOf(submessages: readonly AddedEntry[], author: number): Poll | undefined {
  const firstEntry = widgetContent("poll", submessages);
  if (!firstEntry) return undefined;
  const options = new Entries<OptionVotes>();
  let question = wordsOf(firstEntry.data["question"]);
  for (const [idx, option] of listOf(firstEntry.data["options"]).entries())
    addOption(options, CANNED, { idx, option });
  for (const { id, sender_id, content } of firstEntry.additions) {
    const addition = parsed(content);
    if (addition["type"] === "new_option") addOption(options, sender_id, addition, id < 0);
    else if (addition["type"] === "question") {
      if (sender_id === author) question = wordsOf(addition["question"]);
    } else if (addition["type"] === "vote") {
      const votes = options.entryFor(id, addition)?.votes;
      if (addition["vote"] === 1) votes?.add(sender_id);
      else votes?.delete(sender_id);
    }
  }
  const sentItems = options.all.map((counted): Option => ({
    ...counted,
    votes: [...counted.votes],
  }));
  return { kind: "poll", question, options: sentItems };
}

function addOption(
  options: Entries<OptionVotes>,
  author: number | typeof CANNED,
  { idx, option }: AddedFields,
  isPending = false,
): void {
  const text = wordsOf(option);
  const key = options.keyFor(text, idx, (number) => `${author},${number}`, isPending);
  if (key === undefined) return;
  options.put(key, text, {
    key,
    text,
    votes: new Set(),
    ...(isPending && { isOnItsWay: isPending }),
  });
}

/** Votes for an option, or removes the vote. */
export function voteOn({ key, votes }: Option, me: number): AddedFields {
  return { type: "vote", key, vote: votes.includes(me) ? -1 : 1 };
}

/** Uses the next free number of this user. */
export function newOption(poll: Poll, me: number, option: string): AddedFields {
  return { type: "new_option", idx: nextNumber(poll.options, `${me},`, ""), option };
}
