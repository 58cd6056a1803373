// Invitations: listed, shown again, revoked.
import { type Endpoint, endpoint, int } from "../../endpoint.ts";
import { invitationNotFound } from "../../errors.ts";
import type { Realm } from "../../realm.ts";
import type { Invitation } from "../../records.ts";
import { unsealed } from "../keys/sealed.ts";
import { accessInvitation, canSeeInvitation } from "./access.ts";
import { revokeInvitation } from "./ending.ts";
import { isOpen } from "./rules.ts";
import { invitationObject } from "./wire.ts";

export const getInvitations = endpoint({
  params: {},
  run({ realm, user }) {
    const { read } = realm;
    const open = [...read.invitations.range()].filter((one) => isOpen(one, read.now));
    const seen = open.filter((invitation) => canSeeInvitation(user, invitation));
    const inOrder = seen.sort((a, b) => a.invited - b.invited || a.id - b.id);
    return { invites: inOrder.map((one) => invitationObject(one, linkOf(realm, one))) };
  },
});

/** The link; null where the secret that sealed it is gone. */
export function linkOf(realm: Realm, invitation: Invitation): string | null {
  const key = unsealed(realm, invitation);
  return key === undefined ? null : joinUrl(realm, key);
}

export function joinUrl(realm: Realm, key: string): string {
  return `${realm.config.url}/join/${key}/`;
}

export const deleteInvitation = revoking("email");
export const deleteInvitationLink = revoking("link");

function revoking(kind: Invitation["kind"]): Endpoint {
  return endpoint({
    params: { invite_id: int },
    async run({ realm, user }, { invite_id }) {
      await realm.write((tx) => revokeInvitation(tx, user, kind, invite_id));
      return {};
    },
  });
}

/** There is no mail to send again, so the inviter is given the link again. */
export const resendInvitation = endpoint({
  params: { invite_id: int },
  run({ realm, user }, { invite_id }) {
    const invitation = accessInvitation(realm.read, user, "email", invite_id);
    if (!isOpen(invitation, realm.read.now)) throw invitationNotFound();
    return { invite_link: linkOf(realm, invitation) };
  },
});
