// The intervals of message ids and event numbers in which a user is subscribed.
import type { Writer } from "../../realm.ts";
import type { Subscription } from "../../schema/records.ts";

const OPEN = 0;

/**
 * Starts an interval at the event `seq`. After an account is reactivated, the previous interval
 * continues: the user gets messages that were moved into the channel meanwhile, but not those that
 * were sent there.
 */
export function begin(tx: Writer, sub: Subscription, seq: number): void {
  const [first_id, first_seq = seq, last_id, last_seq = seq] = sub.intervals.slice(-4);
  const isEmpty = sub.suspended && first_id! > last_id!;
  const since = isEmpty ? first_seq : last_seq;
  const earlier = isEmpty ? sub.intervals.slice(0, -4) : sub.intervals;
  const intervals = [...earlier, tx.last("messages") + 1, sub.suspended ? since : seq, OPEN, OPEN];
  const flags = { is_forgotten: false, is_revived: false };
  tx.subscriptions.put({ ...sub, ...flags, active: true, suspended: false, intervals });
}

/**
 * Ends the open interval before the event `seq`. An interval without messages is kept, without ids,
 * if an event of the channel followed its start (`wasSent`). Otherwise it is dropped; if it
 * continues the previous interval, that one ends later instead.
 */
export function end(
  tx: Writer,
  sub: Subscription,
  seq: number,
  wasSent: (seq: number) => boolean,
): void {
  const [earlier, [first_id, first_seq]] = [sub.intervals.slice(0, -4), sub.intervals.slice(-4)];
  const continues = earlier.at(-1) === first_seq;
  const isEmpty = first_id! > tx.last("messages");
  const intervals =
    !isEmpty || (!continues && wasSent(first_seq!))
      ? [...earlier, ...closedInterval(tx, first_id!, first_seq!, seq)]
      : continues
        ? [...earlier.slice(0, -1), seq]
        : earlier;
  tx.subscriptions.put({ ...sub, active: false, suspended: false, intervals });
}

/**
 * Ends the open interval while the account is deactivated. An interval without messages is kept,
 * without ids.
 */
export function suspend(tx: Writer, sub: Subscription, seq: number): void {
  const [earlier, [first_id, first_seq]] = [sub.intervals.slice(0, -4), sub.intervals.slice(-4)];
  const intervals = [...earlier, ...closedInterval(tx, first_id!, first_seq!, seq)];
  tx.subscriptions.put({ ...sub, active: false, suspended: true, intervals });
}

function closedInterval(tx: Writer, first_id: number, first_seq: number, seq: number): number[] {
  // 0 would mean that the interval is open.
  const last_id = Math.max(tx.last("messages"), 1);
  const from_id = first_id > tx.last("messages") ? last_id + 1 : first_id;
  return [from_id, first_seq, last_id, seq];
}
