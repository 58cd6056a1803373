// One-time links: a secret in an address, of which only the hash is kept.
import type { Reader, Writer } from "../../realm.ts";
import type { Ticket } from "../../records.ts";

export const TICKET_SECONDS = 1800;
const SECRET_BYTES = 24;

/** Gives the secret of a new ticket; nobody learns it a second time. */
export function issueTicket(tx: Writer, kind: string, payload: unknown): string {
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
  const token = secret.toString("base64url");
  tx.tickets.put({ hash: hashOf(token), kind, expires: tx.now + TICKET_SECONDS, payload });
  return token;
}

/** The ticket if it is good still. */
export function findTicket(reader: Reader, kind: string, token: string): Ticket | undefined {
  const ticket = reader.tickets.get(hashOf(token));
  if (ticket?.kind !== kind || ticket.expires <= reader.now) return undefined;
  return ticket;
}

export function useUp(tx: Writer, ticket: Ticket): void {
  tx.tickets.delete(ticket.hash);
}

/** Ends all tickets of a kind, and whatever has expired. */
export function withdrawTickets(tx: Writer, kind: string): void {
  for (const ticket of [...tx.tickets.range()]) {
    if (ticket.kind === kind || ticket.expires <= tx.now) tx.tickets.delete(ticket.hash);
  }
}

function hashOf(token: string): string {
  return new Bun.CryptoHasher("sha256").update(token).digest("hex");
}
