// Keeps group mentions as they were: new members were not mentioned, former members were.
import type { Reader, Writer } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { andNot, type Chunk, chunkOf, or } from "../../../store/bitmap/bitmap.ts";
import { encodeChunk } from "../../../store/bitmap/encodings.ts";
import { isInGroup } from "../../rights/access.ts";
import { FLAG_FROZEN_MENTION, FLAG_FROZEN_NO_MENTION } from "../rules.ts";
import { COST, Stored, Union } from "./sets.ts";

/**
 * Call before the members of these groups change. Call the returned function afterwards with the
 * new user records, in the same order, if the users themselves changed.
 */
export function freezeMentions(
  tx: Writer,
  group_ids: Iterable<number>,
  people: readonly User[],
): (after?: readonly User[]) => void {
  const mentioned = [...group_ids].filter((id) => isMentioned(tx, id));
  if (mentioned.length === 0) return () => {};
  const were = people.map((user) => mentioned.filter((id) => isInGroup(tx, user, id)));
  return (after = people) => {
    for (const [index, user] of after.entries()) {
      const mentionedBefore = were[index]!;
      const is = mentioned.filter((id) => isInGroup(tx, user, id));
      const gained = is.filter((id) => !mentionedBefore.includes(id));
      const lost = mentionedBefore.filter((id) => !is.includes(id));
      if (gained.length + lost.length > 0) updateFlags(tx, user, gained, lost);
    }
  };
}

function updateFlags(
  tx: Writer,
  user: User,
  gained: readonly number[],
  lost: readonly number[],
): void {
  const { user_id } = user;
  const all = [...tx.groups.range()].map((group) => group.id).filter((id) => isMentioned(tx, id));
  const stored = all.filter((id) => !gained.includes(id) && isInGroup(tx, user, id));
  const mentions = (ids: readonly number[]) =>
    new Union(
      ids.map((id) => new Stored(`group ${id}`, COST.marks, tx.group_mentions, [id])),
      COST.marks,
    );
  const flag = (number: number) => new Stored("", COST.marks, tx.flags, [user_id, number]);
  const [before, now] = [mentions([...stored, ...lost]), mentions([...stored, ...gained])];
  const last = chunkOf(tx.last("messages"));
  for (const n of [...mentions([...gained, ...lost]).chunks(0, last, false)]) {
    const notMentioned = flag(FLAG_FROZEN_NO_MENTION).at(n).slice();
    const mentioned = flag(FLAG_FROZEN_MENTION).at(n).slice();
    const was = or(andNot(before.at(n).slice(), notMentioned), mentioned);
    const flagsNow = now.at(n).slice();
    put(
      tx,
      user_id,
      FLAG_FROZEN_MENTION,
      n,
      or(mentioned, andNot(was.slice(), andNot(flagsNow.slice(), notMentioned))),
    );
    put(tx, user_id, FLAG_FROZEN_NO_MENTION, n, or(notMentioned, andNot(flagsNow, was)));
  }
}

function put(tx: Writer, user_id: number, flag: number, n: number, chunk: Chunk): void {
  tx.flags.set([user_id, flag], n, encodeChunk(chunk));
}

function isMentioned(reader: Reader, group_id: number): boolean {
  for (const _ of reader.group_mentions.chunks([group_id])) return true;
  return false;
}
