// Muting a person: what they wrote is read, and what they write will be.
import { endpoint, int } from "../../endpoint.ts";
import {
  alreadyMuted,
  insufficientPermission,
  muteOfSelf,
  notMuted,
  userNotFound,
} from "../../errors-channels.ts";
import type { Writer } from "../../realm.ts";
import type { User } from "../../records.ts";
import { rememberedMessages } from "../messages/received.ts";
import { chunksOf, Narrowed, RANK, Stored } from "../messages/sets.ts";
import { readChunks, Unread } from "../messages/unread.ts";
import { canSeeUser } from "../users/access.ts";
import { mutedUsersChanged } from "./wire.ts";

export function mutePerson(tx: Writer, user: User, muted_user_id: number): void {
  const { user_id } = user;
  if (muted_user_id === user_id) throw muteOfSelf();
  const muted = tx.users.get(muted_user_id);
  if (!muted) throw userNotFound();
  if (!canSeeUser(tx, user, muted)) throw insufficientPermission();
  if (tx.muted_users.has(user_id, muted_user_id)) throw alreadyMuted();

  tx.muted_users.put({ user_id, muted_user_id, timestamp: tx.now });
  markReadFrom(tx, user_id, muted_user_id);
  tx.emit(mutedUsersChanged(tx, user_id), { to: "people", user_ids: [user_id] });
}

export function unmutePerson(tx: Writer, { user_id }: User, muted_user_id: number): void {
  if (!tx.muted_users.has(user_id, muted_user_id)) throw notMuted();

  tx.muted_users.delete(user_id, muted_user_id);
  tx.emit(mutedUsersChanged(tx, user_id), { to: "people", user_ids: [user_id] });
}

export const postMutedUser = endpoint({
  params: { muted_user_id: int },
  run: async ({ realm, user }, { muted_user_id }) => {
    await realm.write((tx) => mutePerson(tx, user, muted_user_id));
    return {};
  },
});

export const deleteMutedUser = endpoint({
  params: { muted_user_id: int },
  run: async ({ realm, user }, { muted_user_id }) => {
    await realm.write((tx) => unmutePerson(tx, user, muted_user_id));
    return {};
  },
});

function markReadFrom(tx: Writer, user_id: number, sender_id: number): void {
  const unread = new Unread(tx, user_id, rememberedMessages(tx));
  const sent = new Stored("sender", RANK.person, tx.sender_messages, [sender_id]);
  const found = chunksOf(new Narrowed([sent, unread], []), 0, tx.last("messages"));
  readChunks(tx, user_id, found);
}
