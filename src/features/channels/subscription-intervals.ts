// From when to when a person is subscribed: intervals of message ids and of events.
import type { Writer } from "../../realm.ts";
import type { Subscription } from "../../schema/records.ts";

const OPEN = 0;

/**
 * Opens an interval from the event `seq` on. Where the account was off, it goes on from the one
 * before: what was moved into the channel meanwhile came to the person, what was sent there did
 * not.
 */
export function begin(tx: Writer, sub: Subscription, seq: number): void {
  const [first_id, first_seq = seq, last_id, last_seq = seq] = sub.intervals.slice(-4);
  const isEmpty = sub.suspended && first_id! > last_id!;
  const since = isEmpty ? first_seq : last_seq;
  const earlier = isEmpty ? sub.intervals.slice(0, -4) : sub.intervals;
  const intervals = [...earlier, tx.last("messages") + 1, sub.suspended ? since : seq, OPEN, OPEN];
  const known = { is_forgotten: false, is_revived: false };
  tx.subscriptions.put({ ...sub, ...known, active: true, suspended: false, intervals });
}

/**
 * Closes the open interval before the event `seq`. One without a message is kept, of no ids, if
 * something was told in the channel after it began; `wasTold` says that. Otherwise it leaves no
 * trace; where it goes on from the one before, that ends later instead, for what came in between.
 */
export function end(
  tx: Writer,
  sub: Subscription,
  seq: number,
  wasTold: (seq: number) => boolean,
): void {
  const [earlier, [first_id, first_seq]] = [sub.intervals.slice(0, -4), sub.intervals.slice(-4)];
  const goesOn = earlier.at(-1) === first_seq;
  const isEmpty = first_id! > tx.last("messages");
  const intervals =
    !isEmpty || (!goesOn && wasTold(first_seq!))
      ? [...earlier, ...closed(tx, first_id!, first_seq!, seq)]
      : goesOn
        ? [...earlier.slice(0, -1), seq]
        : earlier;
  tx.subscriptions.put({ ...sub, active: false, suspended: false, intervals });
}

/** Closes the open one while the account is off; one without a message stays, of no ids. */
export function suspend(tx: Writer, sub: Subscription, seq: number): void {
  const [earlier, [first_id, first_seq]] = [sub.intervals.slice(0, -4), sub.intervals.slice(-4)];
  const intervals = [...earlier, ...closed(tx, first_id!, first_seq!, seq)];
  tx.subscriptions.put({ ...sub, active: false, suspended: true, intervals });
}

function closed(tx: Writer, first_id: number, first_seq: number, seq: number): number[] {
  // Nought would say that it is open.
  const last_id = Math.max(tx.last("messages"), 1);
  const from_id = first_id > tx.last("messages") ? last_id + 1 : first_id;
  return [from_id, first_seq, last_id, seq];
}
