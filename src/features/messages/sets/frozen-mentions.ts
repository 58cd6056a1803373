// Keeps group mentions as they were: new members were not mentioned, former members were.
import type { Reader, Writer } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { andNot, type Chunk, chunkOf, or } from "../../../store/bitmap/bitmap.ts";
import { decodeChunk, encodeChunk } from "../../../store/bitmap/encodings.ts";
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
    const all = [...tx.groups.range()].map((group) => group.id).filter((id) => isMentioned(tx, id));
    const changes = new Map<string, MentionChange>();
    for (const [index, user] of after.entries()) {
      const mentionedBefore = before[index]!;
      const is = mentioned.filter((id) => isInGroup(tx, user, id));
      const gainedIds = is.filter((id) => !mentionedBefore.includes(id));
      const lostIds = mentionedBefore.filter((id) => !is.includes(id));
      if (gainedIds.length + lostIds.length === 0) continue;
      const unchangedIds = all.filter((id) => !gainedIds.includes(id) && isInGroup(tx, user, id));
      const key = JSON.stringify([unchangedIds, gainedIds, lostIds]);
      let change = changes.get(key);
      if (!change)
        changes.set(key, (change = new MentionChange(tx, unchangedIds, gainedIds, lostIds)));
      change.applyTo(user);
    }
  };
}

/** The messages of a chunk that mention a user's groups before and after a change. */
interface ChunkOfMentions {
  readonly n: number;
  readonly before: Chunk;
  readonly now: Chunk;
  /** The flags of a user who has none yet. */
  readonly onlyBefore: Uint8Array | undefined;
  readonly onlyNow: Uint8Array | undefined;
}

/** A change of groups that is the same for many users, so that its sets are read only once. */
class MentionChange {
  private readonly chunks: readonly ChunkOfMentions[];

  constructor(
    private readonly tx: Writer,
    unchangedIds: readonly number[],
    gainedIds: readonly number[],
    lostIds: readonly number[],
  ) {
    const mentions = (ids: readonly number[]) =>
      new Union(
        ids.map((id) => new StoredSet(`group ${id}`, COST.marks, tx.group_mentions, [id])),
        COST.marks,
      );
    const before = mentions([...unchangedIds, ...lostIds]);
    const now = mentions([...unchangedIds, ...gainedIds]);
    const last = chunkOf(tx.last("messages"));
    const changed = mentions([...gainedIds, ...lostIds]).chunks(0, last, false);
    this.chunks = [...changed].map((n) => {
      const [was, is] = [before.at(n).slice(), now.at(n).slice()];
      const onlyBefore = encodeChunk(andNot(was.slice(), is));
      return { n, before: was, now: is, onlyBefore, onlyNow: encodeChunk(andNot(is.slice(), was)) };
    });
  }

  applyTo({ user_id }: User): void {
    const { flags } = this.tx;
    const mentionKey = [user_id, FLAG_FROZEN_MENTION];
    const otherKey = [user_id, FLAG_FROZEN_NO_MENTION];
    for (const { n, before, now, onlyBefore, onlyNow } of this.chunks) {
      const mentionBytes = flags.chunk(mentionKey, n)?.slice();
      const otherBytes = flags.chunk(otherKey, n)?.slice();
      if (!mentionBytes && !otherBytes) {
        flags.set(mentionKey, n, onlyBefore);
        flags.set(otherKey, n, onlyNow);
        continue;
      }
      const [mentioned, notMentioned] = [decodeChunk(mentionBytes), decodeChunk(otherBytes)];
      const mentionedChunk = or(andNot(before.slice(), notMentioned), mentioned);
      const newlyNot = andNot(now.slice(), mentionedChunk);
      or(mentioned, andNot(mentionedChunk, andNot(now.slice(), notMentioned)));
      flags.set(mentionKey, n, encodeChunk(mentioned));
      flags.set(otherKey, n, encodeChunk(or(notMentioned, newlyNot)));
    }
  }
}

function isMentioned(reader: Reader, group_id: number): boolean {
  for (const _ of reader.group_mentions.chunks([group_id])) return true;
  return false;
}
