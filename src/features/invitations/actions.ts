// Lists, shows, resends and revokes invitations.
import Type from "typebox";
import { invitationNotFound } from "../../contract/errors/people.ts";
import { list, nothing, nullable } from "../../contract/shapes/value-types.ts";
import { invitationShape } from "../../contract/shapes/people.ts";
import { endpoint, int } from "../../endpoint.ts";
import type { Realm, Writer } from "../../realm.ts";
import type { Invitation } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { mail } from "../mail/actions.ts";
import { decryptedKey } from "../secrets/encrypted.ts";
import { accessInvitation, canSeeInvitation } from "./access.ts";
import { revokeInvitation } from "./revoke.ts";
import { isOpen } from "./rules.ts";
import { invitationObject } from "./wire.ts";

export const getInvitations = endpoint({
  summary: "List invitations",
  tag: "Invitations",
  params: {},
  answer: Type.Object({
    invites: list(invitationShape),
  }),
  run({ realm, user }) {
    const { read } = realm;
    const open = [...read.invitations.range()].filter((invitation) => isOpen(invitation, read.now));
    const visible = open.filter((invitation) => canSeeInvitation(user, invitation));
    const inOrder = visible.sort((a, b) => a.invited - b.invited || a.id - b.id);
    return {
      invites: inOrder.map((invitation) =>
        invitationObject(invitation, visibleLink(realm, invitation)),
      ),
    };
  },
});

/** A link that was sent by email proves the address, so it is not shown to anyone else. */
function visibleLink(realm: Realm, invitation: Invitation): string | null | undefined {
  return invitation.kind === "email" && realm.config.mail ? undefined : linkOf(realm, invitation);
}

/** The link; null if the secret that encrypted it is lost. */
export function linkOf(realm: Realm, invitation: Invitation): string | null {
  const key = decryptedKey(realm, invitation);
  return key === undefined ? null : joinUrl(realm, key);
}

export function joinUrl(realm: Realm, key: string): string {
  return `${realm.config.url}/join/${key}/`;
}

export const deleteInvitation = revokeEndpoint("email");
export const deleteInvitationLink = revokeEndpoint("link");

function revokeEndpoint(kind: Invitation["kind"]) {
  return endpoint({
    summary: kind === "link" ? "Revoke an invitation link" : "Revoke an invitation",
    tag: "Invitations",
    params: { invite_id: int },
    answer: nothing,
    async run({ realm, user }, { invite_id }) {
      await realm.write((tx) => revokeInvitation(tx, user, kind, invite_id));
      return {};
    },
  });
}

function remindOfInvitation(tx: Writer, actingUser: User, id: number): Invitation {
  const invitation = accessInvitation(tx, actingUser, "email", id);
  if (!isOpen(invitation, tx.now)) throw invitationNotFound();

  mail(tx, { about: "invitation", id });
  return invitation;
}

/** Sends the invitation again. Without a mail server, the inviter gets the link. */
export const resendInvitation = endpoint({
  summary: "Send an invitation again",
  tag: "Invitations",
  params: { invite_id: int },
  answer: Type.Object({ invite_link: Type.Optional(nullable(Type.String())) }),
  async run({ realm, user }, { invite_id }) {
    const invitation = await realm.write((tx) => remindOfInvitation(tx, user, invite_id));
    return realm.config.mail ? {} : { invite_link: linkOf(realm, invitation) };
  },
});
