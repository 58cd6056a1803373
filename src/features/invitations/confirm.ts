// Newcomers' addresses: a link that goes there by mail, and only then an account.
import { addressesUnconfirmed, linkEnded } from "../../contract/errors/people.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Invitation, Ticket } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { mail } from "../mail/actions.ts";
import { isClosed } from "../realm/access.ts";
import { isVouchedElsewhere, takesUnconfirmed } from "../realm/addresses.ts";
import { EMAIL, methodNamed } from "../realm/methods-wire.ts";
import { isAdministrator } from "../rights/rules.ts";
import type { MadeKey } from "../secrets/sealed.ts";
import { findTicket, keepTicket, useUp } from "../secrets/tickets.ts";
import type { Language } from "../speech/speech.ts";
import { invitationOf } from "./access.ts";
import { joinByInvitation, type Newcomer, signUp } from "./join.ts";

export const SIGN_UP = "sign-up";
const SIGN_UP_SECONDS = DAY_SECONDS;

export interface SignUpTicket {
  email: string;
  /** The hash of the link by which the person came; null: anybody may sign up. */
  invitation: string | null;
  sealed: string | null;
  /** That the browser asked for; tickets of before have none. */
  language?: Language | undefined;
  /** The page that the person was going to. */
  next?: string | undefined;
}

/**
 * How it is seen that an address is the newcomer's. `word`: they are believed. `known`: the link
 * went there, or an administrator gave it on.
 */
export type Showing = "known" | "letter" | "word" | "none";

export function showingOf(reader: Reader, invitation: Invitation | undefined): Showing {
  // A password would open nothing.
  if (!methodNamed(reader, EMAIL)) return "none";
  const isForOne = invitation?.kind === "email";
  if (reader.config.mail !== undefined) return isForOne ? "known" : "letter";
  if (takesUnconfirmed(reader)) return isForOne ? "known" : "word";
  // Without email, the inviter knows the link and could use it in place of the invited person.
  const inviter = isForOne && reader.users.get(invitation.invited_by_user_id);
  return inviter && isAdministrator(inviter) ? "known" : "none";
}

/** Refuses invitations by which nobody could come. */
export function checkShowing(reader: Reader, by: User, kind: Invitation["kind"]): void {
  if (reader.config.mail !== undefined || takesUnconfirmed(reader)) return;
  if (isVouchedElsewhere(reader) || (kind === "email" && isAdministrator(by))) return;
  throw addressesUnconfirmed();
}

/** The same work whether or not the address has an account: who asks learns nothing. */
export function askToSignUp(
  tx: Writer,
  { hash, sealed }: MadeKey,
  asked: Omit<SignUpTicket, "sealed">,
): void {
  const payload: SignUpTicket = { ...asked, sealed };
  keepTicket(tx, SIGN_UP, hash, SIGN_UP_SECONDS, payload);
  mail(tx, { about: "sign-up", hash });
}

export interface Confirmed {
  readonly email: string;
  readonly ticket: Ticket;
  readonly invitation: Invitation | undefined;
  readonly next: string | undefined;
}

/** The invitation whose link proves the address, if that person may still join. */
export function confirmedBy(reader: Reader, key: string): Confirmed | undefined {
  const ticket = findTicket(reader, SIGN_UP, key);
  return ticket && admitted(reader, ticket);
}

export function admitted(reader: Reader, ticket: Ticket): Confirmed | undefined {
  if (isClosed(reader)) return undefined;
  const { email, next, invitation: hash } = ticket.payload as SignUpTicket;
  if (hash === null) {
    const isFree = !reader.settings.invite_required;
    return isFree ? { email, ticket, invitation: undefined, next } : undefined;
  }
  const invitation = invitationOf(reader, hash);
  return invitation && { email, ticket, invitation, next };
}

export function joinConfirmed(tx: Writer, key: string, newcomer: Newcomer): User {
  const confirmed = confirmedBy(tx, key);
  if (!confirmed) throw linkEnded();
  const { email, ticket, invitation } = confirmed;
  useUp(tx, ticket);
  const wanted = { ...newcomer, email };
  return invitation ? joinByInvitation(tx, invitation.hash, wanted) : signUp(tx, wanted);
}
