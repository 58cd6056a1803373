// The letters that bring invitations to whom they are for.
import type { Realm } from "../../realm.ts";
import type { Invitation } from "../../schema/records-people.ts";
import { foldedAddress } from "../../text/email-address.ts";
import type { Draft } from "../mail/letter.ts";
import { isClosed } from "../realm/access.ts";
import { isBot } from "../rights/rules.ts";
import { unsealed } from "../secrets/sealed.ts";
import { invitationOf } from "./access.ts";
import { admitted, SIGN_UP, type SignUpTicket } from "./confirm.ts";

export function invitationLetter(realm: Realm, id: number): Draft | undefined {
  return letterOf(realm, id, (name) => `You are invited to join ${name}`);
}

export function reminderLetter(realm: Realm, id: number): Draft | undefined {
  return letterOf(realm, id, (name) => `Your invitation to ${name} ends soon`);
}

/** undefined: it was used or taken back, or has expired. */
function letterOf(
  realm: Realm,
  id: number,
  subjectFor: (name: string) => string,
): Draft | undefined {
  const { read, config } = realm;
  const invitation = read.invitations.get("email", id);
  const key = invitation && unsealed(realm, invitation);
  if (!invitation || key === undefined || isClosed(read)) return undefined;
  if (!invitationOf(read, invitation.hash)) return undefined;
  const { name } = read.settings;
  const inviter = read.users.get(invitation.invited_by_user_id)!;
  return {
    to: { name: "", address: invitation.email! },
    from_name: `${inviter.full_name} (${name})`,
    subject: subjectFor(name),
    blocks: [
      `${inviter.full_name} invites you to join ${name} (${config.url}).`,
      { label: `Join ${name}`, url: `${config.url}/join/${key}/` },
      untilWhen(invitation),
    ],
    footer: ["If you do not know what this is about, you need not do anything."],
  };
}

/** To who wants an account: the link, or that there is one. */
export function signUpLetter(realm: Realm, hash: string): Draft | undefined {
  const { read, config } = realm;
  const ticket = read.tickets.get(hash);
  if (ticket?.kind !== SIGN_UP || ticket.expires <= read.now) return undefined;
  const { email, sealed } = ticket.payload as SignUpTicket;
  const key = unsealed(realm, { hash, sealed });
  const known = read.users.one("email", foldedAddress(email));
  if (key === undefined || !admitted(read, ticket) || (known && isBot(known))) return undefined;
  const { name } = read.settings;
  const footer = ["If you did not ask for it, you need not do anything."];
  const to = { name: "", address: email };
  if (known) {
    const state = known.is_active ? `has an account in` : `has a deactivated account in`;
    const blocks = [
      `Somebody, hopefully you, wants to join ${name} (${config.url}) with this address. It ` +
        `${state} ${name} already.`,
      { label: `Sign in to ${name}`, url: `${config.url}/login/` },
    ];
    return { to, subject: `You have an account in ${name}`, blocks, footer };
  }
  const blocks = [
    `Somebody, hopefully you, wants to join ${name} (${config.url}) with this address.`,
    { label: `Join ${name}`, url: `${config.url}/accounts/do_confirm/${key}/` },
    "The link works once, for a day.",
  ];
  return { to, subject: `Confirm your address to join ${name}`, blocks, footer };
}

function untilWhen({ expiry_date }: Invitation): string {
  if (expiry_date === null) return "The link works once.";
  const day = new Date(expiry_date * 1000).toISOString().slice(0, 10);
  return `The link works once, until ${day}.`;
}
