// Commands that run as an owner, each through the API endpoint for the same action.
import { deleteUser, restoreUser } from "../../features/accounts/activation.ts";
import { updateUser } from "../../features/accounts/changes.ts";
import { patchChannel } from "../../features/channels/api/patch.ts";
import { deleteChannel } from "../../features/channels/manage/archive.ts";
import { postChannel } from "../../features/channels/manage/create.ts";
import {
  deleteInvitation,
  deleteInvitationLink,
  resendInvitation,
} from "../../features/invitations/actions.ts";
import { postInvitationLink, postInvitations } from "../../features/invitations/invite.ts";
import { patchRealm } from "../../features/organization/change.ts";
import { postRealmDeactivation } from "../../features/organization/deactivate.ts";
import { asOwner } from "./as-owner.ts";

export const ownerCommands = {
  changeOrganization: asOwner(patchRealm),
  deactivateOrganization: asOwner(postRealmDeactivation),
  createChannel: asOwner(postChannel),
  changeChannel: asOwner(patchChannel),
  archiveChannel: asOwner(deleteChannel),
  invite: asOwner(postInvitations),
  inviteByLink: asOwner(postInvitationLink),
  resendInvitation: asOwner(resendInvitation),
  revokeInvitation: asOwner(deleteInvitation),
  revokeInvitationLink: asOwner(deleteInvitationLink),
  changeUser: asOwner(updateUser),
  deactivateUser: asOwner(deleteUser),
  reactivateUser: asOwner(restoreUser),
};
