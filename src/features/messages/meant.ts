// Keeps mentions of groups: who comes to a group later was not meant, and who has left it was.
import type { Reader, Writer } from "../../realm.ts";
import type { User } from "../../records.ts";
import { encodeChunk } from "../../store/bitmap-forms.ts";
import { andNot, type Chunk, chunkOf, or } from "../../store/bitmap.ts";
import { isInGroup } from "../groups/access.ts";
import { FLAG_MEANT, FLAG_NOT_MEANT } from "./rules.ts";
import { RANK, Stored, Union } from "./sets.ts";

/**
 * Called before who is in these groups changes; the answer is called after, with the people as
 * they are then, in the same order, where they themselves have changed.
 */
export function keepMentions(
  tx: Writer,
  group_ids: Iterable<number>,
  people: readonly User[],
): (after?: readonly User[]) => void {
  const called = [...group_ids].filter((id) => isCalled(tx, id));
  if (called.length === 0) return () => {};
  const were = people.map((user) => called.filter((id) => isInGroup(tx, user, id)));
  return (after = people) => {
    for (const [at, user] of after.entries()) {
      const was = were[at]!;
      const is = called.filter((id) => isInGroup(tx, user, id));
      const gained = is.filter((id) => !was.includes(id));
      const lost = was.filter((id) => !is.includes(id));
      if (gained.length + lost.length > 0) settle(tx, user, gained, lost);
    }
  };
}

function settle(tx: Writer, user: User, gained: readonly number[], lost: readonly number[]): void {
  const { user_id } = user;
  const all = [...tx.groups.range()].map((group) => group.id).filter((id) => isCalled(tx, id));
  const kept = all.filter((id) => !gained.includes(id) && isInGroup(tx, user, id));
  const mentions = (ids: readonly number[]) =>
    new Union(
      ids.map((id) => new Stored(`group ${id}`, RANK.marks, tx.group_mentions, [id])),
      RANK.marks,
    );
  const flag = (number: number) => new Stored("", RANK.marks, tx.flags, [user_id, number]);
  const [before, now] = [mentions([...kept, ...lost]), mentions([...kept, ...gained])];
  const last = chunkOf(tx.last("messages"));
  for (const n of [...mentions([...gained, ...lost]).chunks(0, last, false)]) {
    const notMeant = flag(FLAG_NOT_MEANT).at(n).slice();
    const meant = flag(FLAG_MEANT).at(n).slice();
    const was = or(andNot(before.at(n).slice(), notMeant), meant);
    const is = now.at(n).slice();
    put(tx, user_id, FLAG_MEANT, n, or(meant, andNot(was.slice(), andNot(is.slice(), notMeant))));
    put(tx, user_id, FLAG_NOT_MEANT, n, or(notMeant, andNot(is, was)));
  }
}

function put(tx: Writer, user_id: number, flag: number, n: number, chunk: Chunk): void {
  tx.flags.set([user_id, flag], n, encodeChunk(chunk));
}

function isCalled(reader: Reader, group_id: number): boolean {
  for (const _ of reader.group_mentions.chunks([group_id])) return true;
  return false;
}
