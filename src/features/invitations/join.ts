// Creates the account of a user who follows an invitation or uses open sign-up.
import { invitationNotFound, signUpClosed } from "../../contract/errors/people.ts";
import { MEMBER } from "../../contract/roles.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Invitation } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { createUser } from "../accounts/actions.ts";
import { mentionOf, welcomeUser } from "../accounts/welcome.ts";
import { defaultChannelIds } from "../channels/wire.ts";
import { sendNoticeToPeople } from "../messages/send/notices.ts";
import { membersAdded } from "../people/wire.ts";
import { checkCanJoin } from "../realm/addresses.ts";
import { isAdministrator } from "../rights/rules.ts";
import { channelsOf, groupsOf, invitationOf } from "./access.ts";
import { useUpInvitations } from "./revoke.ts";

export interface NewMember {
  email: string;
  full_name: string;
  /** Absent if an identity provider authenticates the user at each sign-in. */
  password_hash?: string;
}

/** Finds the invitation by the hash of its key. Invitations to an address are valid for it only. */
export function joinByInvitation(tx: Writer, hash: string, newMember: NewMember): User {
  const invitation = invitationOf(tx, hash);
  if (!invitation) throw invitationNotFound();
  const inviter = tx.users.get(invitation.invited_by_user_id)!;
  const email = invitation.email ?? newMember.email;
  checkCanJoin(tx, email);

  const user = createUser(tx, {
    ...newMember,
    email,
    role: invitation.invited_as,
    stream_ids: subscriptionsOf(tx, inviter, invitation),
  });
  for (const group_id of groupsOf(tx, inviter, invitation)) addToGroup(tx, group_id, user);
  useUpInvitations(tx, user.delivery_email);
  if (invitation.notify_referrer_on_join) {
    const text = `${mentionOf(user)} accepted your invitation to join this organization.`;
    sendNoticeToPeople(tx, [invitation.invited_by_user_id], text);
  }
  // Only administrators may write the welcome message.
  const welcomeText = invitation.welcome_message_custom_text;
  welcomeUser(tx, user, isAdministrator(inviter) ? welcomeText : null);
  return user;
}

export function signUp(tx: Writer, newMember: NewMember): User {
  if (tx.settings.invite_required) throw signUpClosed();
  checkCanJoin(tx, newMember.email);

  const user = createUser(tx, { ...newMember, role: MEMBER, signed_up: true });
  useUpInvitations(tx, user.delivery_email);
  welcomeUser(tx, user, null);
  return user;
}

function subscriptionsOf(reader: Reader, inviter: User, invitation: Invitation): number[] {
  const stream_ids = channelsOf(reader, inviter, invitation);
  if (!invitation.include_realm_default_subscriptions) return stream_ids;
  return [...new Set([...stream_ids, ...defaultChannelIds(reader)])];
}

function addToGroup(tx: Writer, group_id: number, { user_id }: User): void {
  tx.group_members.put({ group_id, user_id });
  tx.emit(membersAdded(group_id, [user_id]), { to: "realm" });
}
