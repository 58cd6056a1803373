// A password forgotten: a link by mail, or from the operator, with which a new one is set.
import { linkEnded } from "../../errors-people.ts";
import type { Reader, Realm, Writer } from "../../realm.ts";
import type { DueJob, User } from "../../records.ts";
import { type MadeKey, sealedKey } from "../keys/sealed.ts";
import { mail } from "../mail/actions.ts";
import { isClosed } from "../realm/access.ts";
import { findTicket, keepTicket, withdrawTickets } from "../realm/tickets.ts";
import { isBot } from "../users/rules.ts";
import { setPassword } from "./actions.ts";

export const RESET = "password reset";
export const SEND_RESET = "send password reset";
export const RESET_SECONDS = 86_400;

export interface ResetTicket {
  user_id: number;
  sealed: string | null;
}

/** Whether anybody has the address is seen later: who asks learns nothing, not even by the time. */
export function askForReset(tx: Writer, email: string): void {
  tx.enqueue(SEND_RESET, tx.now * 1000, { email });
}

/** With the job, so that a crash sends none twice. */
export async function sendReset(realm: Realm, { at, job_id, payload }: DueJob): Promise<void> {
  const { email } = payload as { email: string };
  const key = sealedKey(realm);
  await realm.write((tx) => {
    tx.due.delete(at, job_id);
    const user = tx.users.one("email", email.trim().toLowerCase());
    if (!user?.is_active || isBot(user) || isClosed(tx)) return;
    openReset(tx, user, key);
    mail(tx, { about: "password reset", hash: key.hash });
  });
}

export function openReset(tx: Writer, { user_id }: User, { hash, sealed }: MadeKey): void {
  keepTicket(tx, RESET, hash, RESET_SECONDS, { user_id, sealed } satisfies ResetTicket);
}

export function resetUrl(realm: Realm, key: string): string {
  return `${realm.config.url}/accounts/password/reset/${key}/`;
}

/** Whose password the link sets. */
export function userOfReset(reader: Reader, key: string): User | undefined {
  const ticket = findTicket(reader, RESET, key);
  if (!ticket || isClosed(reader)) return undefined;
  const user = reader.users.get((ticket.payload as ResetTicket).user_id);
  return user?.is_active ? user : undefined;
}

/** All links of the person end with it. */
export function resetPassword(tx: Writer, key: string, password_hash: string): void {
  const user = userOfReset(tx, key);
  if (!user) throw linkEnded();

  withdrawTickets(tx, RESET, user.user_id);
  setPassword(tx, user.user_id, password_hash);
}
