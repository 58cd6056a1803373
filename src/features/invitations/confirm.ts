// Confirms the email addresses of new users with a link before the account is created.
import { addressesUnconfirmed, linkEnded } from "../../contract/errors/people.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Invitation, Ticket } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { mail } from "../mail/actions.ts";
import { isDeactivated } from "../realm/access.ts";
import { hasIdentityProvider, acceptsUnverified } from "../realm/addresses.ts";
import { EMAIL, methodNamed } from "../realm/methods-wire.ts";
import { isAdministrator } from "../rights/rules.ts";
import type { NewKey } from "../secrets/encrypted.ts";
import { findTicket, storeTicket, invalidateTicket } from "../secrets/one-time-links.ts";
import type { Language } from "../i18n/translations.ts";
import { invitationOf } from "./access.ts";
import { joinByInvitation, type NewMember, signUp } from "./join.ts";

export const SIGN_UP = "sign-up";
const SIGN_UP_SECONDS = DAY_SECONDS;

export interface SignUpTicket {
  email: string;
  /** Hash of the invitation link that the user followed; null for open sign-up. */
  invitation: string | null;
  sealed: string | null;
  /** The browser's language. Tickets of earlier versions have none. */
  language?: Language | undefined;
  /** The page to open after sign-up. */
  next?: string | undefined;
}

/**
 * How an address is verified. `known`: the invitation link was sent there, or an
 * administrator passed it on. `email`: a link is sent there first. `unverified`: not at all.
 */
type AddressProof = "known" | "email" | "unverified" | "none";

export function addressProofOf(reader: Reader, invitation: Invitation | undefined): AddressProof {
  // A password would not allow signing in.
  if (!methodNamed(reader, EMAIL)) return "none";
  const isForOne = invitation?.kind === "email";
  if (reader.config.mail !== undefined) return isForOne ? "known" : "email";
  if (acceptsUnverified(reader)) return isForOne ? "known" : "unverified";
  // If email is not configured, the inviter knows the link and could use it in place of the invited
  // user.
  const inviter = isForOne && reader.users.get(invitation.invited_by_user_id);
  return inviter && isAdministrator(inviter) ? "known" : "none";
}

/** Rejects invitations that no one could use. */
export function checkAddressProof(
  reader: Reader,
  actingUser: User,
  kind: Invitation["kind"],
): void {
  if (reader.config.mail !== undefined || acceptsUnverified(reader)) return;
  if (hasIdentityProvider(reader) || (kind === "email" && isAdministrator(actingUser))) return;
  throw addressesUnconfirmed();
}

/** Does the same work whether or not the address has an account, which must stay secret. */
export function requestSignUp(
  tx: Writer,
  { hash, sealed }: NewKey,
  requested: Omit<SignUpTicket, "sealed">,
): void {
  const payload: SignUpTicket = { ...requested, sealed };
  storeTicket(tx, SIGN_UP, hash, SIGN_UP_SECONDS, payload);
  mail(tx, { about: "sign-up", hash });
}

export interface Confirmed {
  readonly email: string;
  readonly ticket: Ticket;
  readonly invitation: Invitation | undefined;
  readonly next: string | undefined;
}

/** The invitation whose link proves the address, if its user may still join. */
export function confirmedBy(reader: Reader, key: string): Confirmed | undefined {
  const ticket = findTicket(reader, SIGN_UP, key);
  return ticket && createConfirmedUser(reader, ticket);
}

export function createConfirmedUser(reader: Reader, ticket: Ticket): Confirmed | undefined {
  if (isDeactivated(reader)) return undefined;
  const { email, next, invitation: hash } = ticket.payload as SignUpTicket;
  if (hash === null) {
    const isFree = !reader.settings.invite_required;
    return isFree ? { email, ticket, invitation: undefined, next } : undefined;
  }
  const invitation = invitationOf(reader, hash);
  return invitation && { email, ticket, invitation, next };
}

export function joinConfirmed(tx: Writer, key: string, newMember: NewMember): User {
  const confirmation = confirmedBy(tx, key);
  if (!confirmation) throw linkEnded();
  const { email, ticket, invitation } = confirmation;
  invalidateTicket(tx, ticket);
  const newUser = { ...newMember, email };
  return invitation ? joinByInvitation(tx, invitation.hash, newUser) : signUp(tx, newUser);
}
