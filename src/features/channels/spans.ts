// From when to when a person is subscribed: spans of message ids, with the events at their ends.
import type { Writer } from "../../realm.ts";
import type { Subscription } from "../../records.ts";

const OPEN = 0;

/**
 * Opens a span from the event `seq` on. Where the account was off, it goes on from the span before:
 * what was moved into the channel meanwhile came to the person, what was sent there did not.
 */
export function begin(tx: Writer, sub: Subscription, seq: number): void {
  const [first_id, first_seq = seq, last_id, last_seq = seq] = sub.spans.slice(-4);
  const isEmpty = sub.suspended && first_id! > last_id!;
  const since = isEmpty ? first_seq : last_seq;
  const earlier = isEmpty ? sub.spans.slice(0, -4) : sub.spans;
  const spans = [...earlier, tx.last("messages") + 1, sub.suspended ? since : seq, OPEN, OPEN];
  const known = { is_forgotten: false, is_revived: false };
  tx.subscriptions.put({ ...sub, ...known, active: true, suspended: false, spans });
}

/** Closes the open span before the event `seq`; one without a message leaves no trace. */
export function end(tx: Writer, sub: Subscription, seq: number): void {
  const last_id = tx.last("messages");
  const [earlier, [first_id, first_seq]] = [sub.spans.slice(0, -4), sub.spans.slice(-4)];
  const spans = first_id! > last_id ? earlier : [...earlier, first_id!, first_seq!, last_id, seq];
  tx.subscriptions.put({ ...sub, active: false, suspended: false, spans });
}

/** As that, while the account is off: a span without a message stays, as one of no ids. */
export function suspend(tx: Writer, sub: Subscription, seq: number): void {
  const [earlier, [first_id, first_seq]] = [sub.spans.slice(0, -4), sub.spans.slice(-4)];
  // Nought would say that it is open.
  const last_id = Math.max(tx.last("messages"), 1);
  const from_id = first_id! > tx.last("messages") ? last_id + 1 : first_id!;
  const spans = [...earlier, from_id, first_seq!, last_id, seq];
  tx.subscriptions.put({ ...sub, active: false, suspended: true, spans });
}
