// Ends invitations: when revoked, used, or when their inviter is deactivated.
import { invitationAlreadyRevoked, invitationNotFound } from "../../contract/errors/people.ts";
import type { Realm, Writer } from "../../realm.ts";
import type { Invitation } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { isAdministrator } from "../rights/rules.ts";
import { accessInvitation } from "./access.ts";
import { ENDED_KEPT_SECONDS, isOpen } from "./rules.ts";
import { invitesChanged } from "./wire.ts";

export function revokeInvitation(
  tx: Writer,
  actingUser: User,
  kind: Invitation["kind"],
  id: number,
): void {
  const invitation = accessInvitation(tx, actingUser, kind, id);
  if (invitation.revoked !== null) {
    throw kind === "link" ? invitationAlreadyRevoked() : invitationNotFound();
  }

  tx.invitations.put({ ...invitation, revoked: tx.now });
  emitInvitationsChanged(tx, invitation.invited_by_user_id);
}

/** Revokes the invitations of an inviter who was deactivated. */
export function revokeInvitationsOf(tx: Writer, user_id: number): void {
  const own = tx.invitations.listBy("inviter", user_id);
  const open = own.filter((invitation) => isOpen(invitation, tx.now));
  if (open.length === 0) return;
  for (const invitation of open) tx.invitations.put({ ...invitation, revoked: tx.now });
  emitInvitationsChanged(tx, user_id);
}

/** Deletes all open invitations for the address of someone who joined. */
export function useUpInvitations(tx: Writer, email: string): void {
  const used = tx.invitations.listBy("email", foldedAddress(email));
  for (const { kind, id } of used) tx.invitations.delete(kind, id);
  for (const user_id of new Set(used.map((invitation) => invitation.invited_by_user_id))) {
    emitInvitationsChanged(tx, user_id);
  }
}

/** Emits an event to administrators and the inviter, whose clients then fetch the list again. */
export function emitInvitationsChanged(tx: Writer, user_id: number): void {
  tx.emit(invitesChanged(), { to: "administrators" });
  const inviter = tx.users.get(user_id)!;
  if (isAdministrator(inviter)) return;
  tx.emit(invitesChanged(), { to: "people", user_ids: [user_id] });
}

/** Deletes invitations that ended long ago. */
export async function purgeInvitations(realm: Realm): Promise<void> {
  const before = realm.read.now - ENDED_KEPT_SECONDS;
  const isOver = ({ revoked, expiry_date }: Invitation) =>
    Math.min(revoked ?? Infinity, expiry_date ?? Infinity) < before;
  if (![...realm.read.invitations.range()].some(isOver)) return;
  await realm.write((tx) => {
    const expired = [...tx.invitations.range()].filter(isOver);
    for (const { kind, id } of expired) tx.invitations.delete(kind, id);
  });
}
