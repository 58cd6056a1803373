// Permissions for invitations: who may invite, with which access, and who may see or revoke one.
import {
  groupNotFound,
  insufficientPermission,
  invalidValue,
} from "../../contract/errors/channels.ts";
import {
  administratorRequired,
  invitationNotFound,
  invitedChannelNotFound,
  ownerRequired,
  subscribingOthersNotAllowed,
} from "../../contract/errors/people.ts";
import { MODERATOR, OWNER } from "../../contract/roles.ts";
import type { Reader } from "../../realm.ts";
import type { Invitation } from "../../schema/records-people.ts";
import type { Channel, User } from "../../schema/records.ts";
import { canReadChannel, canAddSubscribers } from "../channels/access.ts";
import { accessGroupToChange, canChangeGroup, hasPermission } from "../rights/access.ts";
import { isAdministrator, isOwner, ROLES } from "../rights/rules.ts";
import { isOpen } from "./rules.ts";

type Kind = Invitation["kind"];

const PERMISSION = {
  email: "can_invite_users_group",
  link: "create_multiuse_invite_group",
} as const;

/** Members and guests: roles that are not higher than the inviter's. Others: administrators. */
function canInviteAs(inviter: User, role: number): boolean {
  if (role === OWNER) return isOwner(inviter);
  return isAdministrator(inviter) || (role > MODERATOR && role >= inviter.role);
}

export function checkCanInvite(reader: Reader, user: User, kind: Kind, role: number): void {
  if (!hasPermission(reader, user, PERMISSION[kind])) throw insufficientPermission();
  if (!ROLES.includes(role)) throw invalidValue("invite_as");
  if (canInviteAs(user, role)) return;
  throw role === OWNER ? ownerRequired() : administratorRequired();
}

/** Anyone may use default channels; others require the permission to subscribe users to them. */
export function checkChannels(reader: Reader, user: User, stream_ids: readonly number[]): void {
  const channels = stream_ids.map((stream_id) => {
    const channel = reader.channels.get(stream_id);
    if (!channel || channel.is_archived || !canReadChannel(reader, user, channel)) {
      throw invitedChannelNotFound(stream_id);
    }
    return channel;
  });
  for (const channel of channels) {
    if (!canInviteTo(reader, user, channel)) throw subscribingOthersNotAllowed();
  }
}

const canInviteTo = (reader: Reader, user: User, channel: Channel): boolean =>
  channel.is_default || canAddSubscribers(reader, user, channel);

export function checkGroups(reader: Reader, user: User, group_ids: readonly number[]): void {
  for (const group_id of group_ids) {
    const group = reader.groups.get(group_id);
    if (!group || group.deactivated) throw groupNotFound();
    accessGroupToChange(reader, user, group_id, "can_add_members_group");
  }
}

/**
 * Whether this user may see the invitation and its link, which gives its role to anyone who has it.
 */
export function canSeeInvitation(user: User, invitation: Invitation): boolean {
  if (!canInviteAs(user, invitation.invited_as)) return false;
  return invitation.invited_by_user_id === user.user_id || isAdministrator(user);
}

/** Returns the invitation, even one that has ended, if this user may revoke it. */
export function accessInvitation(reader: Reader, user: User, kind: Kind, id: number): Invitation {
  const invitation = reader.invitations.get(kind, id);
  const isOwn = invitation?.invited_by_user_id === user.user_id;
  // Other users receive the same error whether or not the invitation exists.
  if (!isOwn && !isAdministrator(user)) throw administratorRequired();
  if (!invitation) throw invitationNotFound();
  if (invitation.invited_as === OWNER && !isOwner(user)) throw ownerRequired();
  return invitation;
}

/** Returns the channels of the invitation to which its inviter may still invite users. */
export function channelsOf(reader: Reader, inviter: User, { stream_ids }: Invitation): number[] {
  return stream_ids.filter((stream_id) => {
    const channel = reader.channels.get(stream_id);
    if (!channel || channel.is_archived || !canReadChannel(reader, inviter, channel)) return false;
    return canInviteTo(reader, inviter, channel);
  });
}

/** Returns the groups of the invitation to which its inviter may still add members. */
export function groupsOf(reader: Reader, inviter: User, { group_ids }: Invitation): number[] {
  return group_ids.filter((group_id) => {
    const group = reader.groups.get(group_id);
    if (!group || group.deactivated) return false;
    return canChangeGroup(reader, inviter, group, "can_add_members_group");
  });
}

/** Returns the invitation of a link if its inviter may still invite users with its role. */
export function invitationOf(reader: Reader, hash: string): Invitation | undefined {
  const invitation = reader.invitations.findBy("hash", hash);
  if (!invitation || !isOpen(invitation, reader.now)) return undefined;
  const inviter = reader.users.get(invitation.invited_by_user_id);
  if (!inviter?.is_active || !canInviteAs(inviter, invitation.invited_as)) return undefined;
  return hasPermission(reader, inviter, PERMISSION[invitation.kind]) ? invitation : undefined;
}
