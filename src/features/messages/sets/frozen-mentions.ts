// Keeps group mentions as they were: new members were not mentioned, former members were.
import type { Reader, Writer } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { andNot, type Chunk, chunkOf, or } from "../../../store/bitmap/bitmap.ts";
import { encodeChunk } from "../../../store/bitmap/encodings.ts";
import { isInGroup } from "../../rights/access.ts";
import { FLAG_FROZEN_MENTION, FLAG_FROZEN_NO_MENTION } from "../rules.ts";
import { COST, StoredSet, Union } from "./sets.ts";

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
  const before = people.map((user) => mentioned.filter((id) => isInGroup(tx, user, id)));
  return (after = people) => {
    for (const [index, user] of after.entries()) {
      const mentionedBefore = before[index]!;
      const is = mentioned.filter((id) => isInGroup(tx, user, id));
      const gainedIds = is.filter((id) => !mentionedBefore.includes(id));
      const lostIds = mentionedBefore.filter((id) => !is.includes(id));
      if (gainedIds.length + lostIds.length > 0) updateFlags(tx, user, gainedIds, lostIds);
    }
  };
}

function updateFlags(
  tx: Writer,
  user: User,
  gainedIds: readonly number[],
  lostIds: readonly number[],
): void {
  const { user_id } = user;
  const all = [...tx.groups.range()].map((group) => group.id).filter((id) => isMentioned(tx, id));
  const unchangedIds = all.filter((id) => !gainedIds.includes(id) && isInGroup(tx, user, id));
  const mentions = (ids: readonly number[]) =>
    new Union(
      ids.map((id) => new StoredSet(`group ${id}`, COST.marks, tx.group_mentions, [id])),
      COST.marks,
    );
  const flag = (number: number) => new StoredSet("", COST.marks, tx.flags, [user_id, number]);
  const [before, now] = [
    mentions([...unchangedIds, ...lostIds]),
    mentions([...unchangedIds, ...gainedIds]),
  ];
  const last = chunkOf(tx.last("messages"));
  for (const n of [...mentions([...gainedIds, ...lostIds]).chunks(0, last, false)]) {
    const notMentioned = flag(FLAG_FROZEN_NO_MENTION).at(n).slice();
    const mentioned = flag(FLAG_FROZEN_MENTION).at(n).slice();
    const mentionedChunk = or(andNot(before.at(n).slice(), notMentioned), mentioned);
    const flagsNow = now.at(n).slice();
    put(
      tx,
      user_id,
      FLAG_FROZEN_MENTION,
      n,
      or(mentioned, andNot(mentionedChunk.slice(), andNot(flagsNow.slice(), notMentioned))),
    );
    put(tx, user_id, FLAG_FROZEN_NO_MENTION, n, or(notMentioned, andNot(flagsNow, mentionedChunk)));
  }
}

function put(tx: Writer, user_id: number, flag: number, n: number, chunk: Chunk): void {
  tx.flags.set([user_id, flag], n, encodeChunk(chunk));
}

function isMentioned(reader: Reader, group_id: number): boolean {
  for (const _ of reader.group_mentions.chunks([group_id])) return true;
  return false;
}
