// An account that someone else created counts as joined at its first sign-in.
import { MEMBER } from "../../contract/roles.ts";
import type { Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { watchMembership } from "../groups/effects.ts";
import { awaitFullMembership } from "../groups/full-members.ts";
import { isoMinute, membersRemoved, userUpdated } from "../people/wire.ts";
import { systemGroupId } from "../rights/access.ts";
import { isFullMember } from "../rights/rules.ts";

/** Must be called in the transaction of every sign-in. */
export function recordFirstSignIn(tx: Writer, { user_id }: Pick<User, "user_id">): void {
  const user = tx.users.get(user_id)!;
  if (!user.is_awaited) return;
  const { is_awaited: _done, ...person } = user;
  const updatedUser: User = { ...person, date_joined: tx.now };
  const fullMembersId = systemGroupId(tx, "role:fullmembers");
  const isFull = (user: User) => isFullMember(user, tx.settings, tx.now);
  const isLeaving = user.role === MEMBER && isFull(user) && !isFull(updatedUser);
  const emitEffects = watchMembership(tx, [fullMembersId], [user]);

  tx.users.put(updatedUser);
  const dates = { date_joined: isoMinute(updatedUser.date_joined) };
  tx.emit(userUpdated(user_id, dates), { to: "seers", user_id });
  if (isLeaving) tx.emit(membersRemoved(fullMembersId, [user_id]), { to: "realm" });
  emitEffects([updatedUser]);
  awaitFullMembership(tx, updatedUser);
}
