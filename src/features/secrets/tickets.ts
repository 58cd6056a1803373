// One-time links with a secret, of which only the hash is stored.
import type { Reader, Realm, Writer } from "../../realm.ts";
import type { Ticket } from "../../schema/records-people.ts";

export const TICKET_SECONDS = 1800;
const SECRET_BYTES = 24;

/** Gives the secret of a new ticket; nobody learns it a second time. */
export function issueTicket(
  tx: Writer,
  kind: string,
  payload: unknown,
  seconds = TICKET_SECONDS,
): string {
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
  const token = secret.toString("base64url");
  tx.tickets.put({ hash: hashOf(token), kind, expires: tx.now + seconds, payload });
  return token;
}

/** Like `issueTicket`, with an existing secret and its own validity. */
export function keepTicket(
  tx: Writer,
  kind: string,
  hash: string,
  seconds: number,
  payload: unknown,
): void {
  tx.tickets.put({ hash, kind, expires: tx.now + seconds, payload });
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

/** Ends all tickets of a kind, or one person's, and whatever has expired. */
export function withdrawTickets(tx: Writer, kind: string, user_id?: number): void {
  const isOf = ({ payload }: Ticket) =>
    user_id === undefined || (payload as { user_id: number }).user_id === user_id;
  for (const ticket of [...tx.tickets.range()]) {
    const isMeant = ticket.kind === kind && isOf(ticket);
    if (isMeant || ticket.expires <= tx.now) tx.tickets.delete(ticket.hash);
  }
}

/** Forgets those that have expired. */
export async function purgeTickets(realm: Realm): Promise<void> {
  const over = [...realm.read.tickets.range()].filter(({ expires }) => expires <= realm.read.now);
  if (over.length === 0) return;
  await realm.write((tx) => over.forEach(({ hash }) => tx.tickets.delete(hash)));
}

function hashOf(token: string): string {
  return new Bun.CryptoHasher("sha256").update(token).digest("hex");
}
