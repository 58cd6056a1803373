// Deletes a push subscription with all its waiting pushes.
import type { Writer } from "../../../realm.ts";
import { PUSHES_WAITING_MAX } from "./rules.ts";
import { drop, pushedTo, waitingFor } from "./queue.ts";

export function forgetSubscription(tx: Writer, push_id: number): void {
  tx.push_subscriptions.delete(push_id);
  for (const row of waitingFor(tx, push_id, PUSHES_WAITING_MAX)) drop(tx, row);
  forgetPushed(tx, push_id);
}

/** These notifications can no longer be removed. */
export function forgetPushed(tx: Writer, push_id: number): void {
  for (const { message_id } of pushedTo(tx, push_id))
    tx.pushed_messages.delete(push_id, message_id);
}

/** The key id of subscriptions that belong to the account, such as ntfy topics. */
export const ACCOUNT_KEY_ID = 0;

/** Removes the subscriptions that were registered with the key, or all of the user. */
export function dropSubscriptions(tx: Writer, user_id: number, key_id?: number): void {
  for (const row of tx.push_subscriptions.listBy("user", user_id)) {
    if (key_id === undefined || row.key_id === key_id) forgetSubscription(tx, row.push_id);
  }
}
