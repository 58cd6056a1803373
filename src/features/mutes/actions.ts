// Mutes users: their messages are marked as read, including future ones.
import { alreadyMuted, muteOfSelf, notMuted, tooMany } from "../../contract/errors/channels.ts";
import { nothing } from "../../contract/shapes/value-types.ts";
import { endpoint, int } from "../../endpoint.ts";
import type { Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { cachedMessages } from "../messages/sets/received.ts";
import { chunksOf, COST, NarrowedSet, StoredSet } from "../messages/sets/sets.ts";
import { readChunks, Unread } from "../messages/unread/unread.ts";
import { canSeeUser, userNotVisible } from "../people/access.ts";
import { MUTED_USERS_MAX } from "./rules.ts";
import { mutedUsersChanged } from "./wire.ts";

function mutePerson(tx: Writer, user: User, muted_user_id: number): void {
  const { user_id } = user;
  if (muted_user_id === user_id) throw muteOfSelf();
  const muted = tx.users.get(muted_user_id);
  if (!muted || !canSeeUser(tx, user, muted)) throw userNotVisible(tx, user);
  if (tx.muted_users.has(user_id, muted_user_id)) throw alreadyMuted();
  if (tx.muted_users.countBy("user", user_id) >= MUTED_USERS_MAX) {
    throw tooMany("muted people", MUTED_USERS_MAX);
  }

  tx.muted_users.put({ user_id, muted_user_id, timestamp: tx.now });
  markReadFrom(tx, user_id, muted_user_id);
  tx.emit(mutedUsersChanged(tx, user_id), { to: "people", user_ids: [user_id] });
}

function unmutePerson(tx: Writer, { user_id }: User, muted_user_id: number): void {
  if (!tx.muted_users.has(user_id, muted_user_id)) throw notMuted();

  tx.muted_users.delete(user_id, muted_user_id);
  tx.emit(mutedUsersChanged(tx, user_id), { to: "people", user_ids: [user_id] });
}

export const postMutedUser = endpoint({
  summary: "Mute a person",
  tag: "People",
  params: { muted_user_id: int },
  answer: nothing,
  run: async ({ realm, user }, { muted_user_id }) => {
    await realm.write((tx) => mutePerson(tx, user, muted_user_id));
    return {};
  },
});

export const deleteMutedUser = endpoint({
  summary: "Unmute a person",
  tag: "People",
  params: { muted_user_id: int },
  answer: nothing,
  run: async ({ realm, user }, { muted_user_id }) => {
    await realm.write((tx) => unmutePerson(tx, user, muted_user_id));
    return {};
  },
});

function markReadFrom(tx: Writer, user_id: number, sender_id: number): void {
  const unread = new Unread(tx, user_id, cachedMessages(tx));
  const sentMessages = new StoredSet("sender", COST.person, tx.sender_messages, [sender_id]);
  const unreadChunks = chunksOf(
    new NarrowedSet([sentMessages, unread], []),
    0,
    tx.last("messages"),
  );
  readChunks(tx, user_id, unreadChunks);
}
