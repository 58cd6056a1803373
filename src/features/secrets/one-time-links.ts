// Creates and redeems one-time links, of whose secret the server stores only the hash.
import type { Reader, Realm, Writer } from "../../realm.ts";
import type { Ticket } from "../../schema/records-people.ts";
import { hashOfSecret } from "../../server/caller/secrets.ts";

export const TICKET_SECONDS = 1800;
const SECRET_BYTES = 24;

/** Returns the secret of a new ticket, which cannot be read again later. */
export function issueTicket(
  tx: Writer,
  kind: string,
  payload: unknown,
  seconds = TICKET_SECONDS,
): string {
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
  const token = secret.toString("base64url");
  tx.tickets.put({ hash: hashOfSecret(token), kind, expires: tx.now + seconds, payload });
  return token;
}

/** Like `issueTicket`, with an existing secret and its own validity. */
export function storeTicket(
  tx: Writer,
  kind: string,
  hash: string,
  seconds: number,
  payload: unknown,
): void {
  tx.tickets.put({ hash, kind, expires: tx.now + seconds, payload });
}

/** Returns the ticket if it is still valid. */
export function findTicket(reader: Reader, kind: string, token: string): Ticket | undefined {
  const ticket = reader.tickets.get(hashOfSecret(token));
  if (ticket?.kind !== kind || ticket.expires <= reader.now) return undefined;
  return ticket;
}

export function invalidateTicket(tx: Writer, ticket: Ticket): void {
  tx.tickets.delete(ticket.hash);
}

/** Invalidates all tickets of a kind, or those of one user, and deletes expired ones. */
export function invalidateTickets(tx: Writer, kind: string, user_id?: number): void {
  const isOf = ({ payload }: Ticket) =>
    user_id === undefined || (payload as { user_id: number }).user_id === user_id;
  for (const ticket of [...tx.tickets.range()]) {
    const matches = ticket.kind === kind && isOf(ticket);
    if (matches || ticket.expires <= tx.now) tx.tickets.delete(ticket.hash);
  }
}

/** Deletes expired tickets. */
export async function purgeTickets(realm: Realm): Promise<void> {
  const over = [...realm.read.tickets.range()].filter(({ expires }) => expires <= realm.read.now);
  if (over.length === 0) return;
  await realm.write((tx) => over.forEach(({ hash }) => tx.tickets.delete(hash)));
}
