// Password reset: a link by email, or from the operator, to set a new password.
import { linkEnded } from "../../contract/errors/people.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import type { Reader, Realm, Writer } from "../../realm.ts";
import type { DueJob, User } from "../../schema/records.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { mail } from "../mail/actions.ts";
import { isDeactivated } from "../realm/access.ts";
import { isAdministrator, isBot, isOwner } from "../rights/rules.ts";
import { type NewKey, encryptedKey } from "../secrets/encrypted.ts";
import { findTicket, storeTicket, invalidateTickets } from "../secrets/one-time-links.ts";
import { setPassword } from "./actions.ts";

export const RESET = "password reset";
export const SEND_RESET = "send password reset";
export const RESET_SECONDS = DAY_SECONDS;
/** Validity of a link for a user who has never signed in. */
const WELCOME_SECONDS = 7 * DAY_SECONDS;

export interface ResetTicket {
  user_id: number;
  sealed: string | null;
  /** The account has no password yet. */
  is_first?: true;
  /** The administrator who created the link and can read it. */
  made_by?: number;
}

/**
 * The job checks later whether an account has the address, so that the response time reveals
 * nothing.
 */
export function requestReset(tx: Writer, email: string): void {
  tx.enqueue(SEND_RESET, tx.now * 1000, { email });
}

/** In the same transaction as the job, so that a crash sends no email twice. */
export async function sendReset(
  realm: Realm,
  { at: time, job_id, payload }: DueJob,
): Promise<void> {
  const { email } = payload as { email: string };
  const key = encryptedKey(realm);
  await realm.write((tx) => {
    tx.due.delete(time, job_id);
    const user = tx.users.findBy("email", foldedAddress(email.trim()));
    if (!user?.is_active || isBot(user) || isDeactivated(tx)) return;
    openReset(tx, user, key);
    mail(tx, { about: "password reset", hash: key.hash });
  });
}

/** `made_by`: the administrator who gets the link, instead of an email to the user. */
export function openReset(
  tx: Writer,
  { user_id }: User,
  { hash, sealed }: NewKey,
  made_by?: number,
): void {
  const ticket: ResetTicket = { user_id, sealed, ...(made_by !== undefined && { made_by }) };
  storeTicket(tx, RESET, hash, RESET_SECONDS, ticket);
}

/** Creates the first reset link of an account that another user has created. */
export function createFirstReset(tx: Writer, { user_id }: User, { hash, sealed }: NewKey): void {
  const ticket: ResetTicket = { user_id, sealed, is_first: true };
  storeTicket(tx, RESET, hash, WELCOME_SECONDS, ticket);
}

/** Whether the link is for a user who has never signed in. */
export function isFirst(reader: Reader, key: string): boolean {
  const payload = findTicket(reader, RESET, key)?.payload as ResetTicket | undefined;
  return payload?.is_first === true;
}

export function resetUrl(realm: Realm, key: string): string {
  return `${realm.config.url}/accounts/password/reset/${key}/`;
}

/** The user whose password the link sets. */
export function userOfReset(reader: Reader, key: string): User | undefined {
  const ticket = findTicket(reader, RESET, key);
  if (!ticket || isDeactivated(reader)) return undefined;
  const { user_id, made_by } = ticket.payload as ResetTicket;
  const user = reader.users.get(user_id);
  if (!user?.is_active) return undefined;
  return made_by === undefined || canCreateLink(reader, made_by, user) ? user : undefined;
}

/**
 * Whether the administrator who created a link could still create it: a link to an account that got
 * a higher role, or of a former administrator, would give away more than was allowed.
 */
function canCreateLink(reader: Reader, made_by: number, user: User): boolean {
  const creator = reader.users.get(made_by);
  if (!creator?.is_active || !isAdministrator(creator)) return false;
  return !isOwner(user) || isOwner(creator);
}

/** Ends all links and sessions of the user, and keys if the user wants it. */
export function resetPassword(
  tx: Writer,
  key: string,
  password_hash: string,
  end_api_keys = false,
): User {
  const user = userOfReset(tx, key);
  if (!user) throw linkEnded();

  invalidateTickets(tx, RESET, user.user_id);
  setPassword(tx, user.user_id, password_hash, { end_api_keys });
  return tx.users.get(user.user_id)!;
}
