// Deactivates the organization: ends all sessions and schedules the deletion of its data.
import Type from "typebox";
import {
  deletionStarted,
  deletionTooLate,
  deletionTooSoon,
  realmNotDeactivated,
} from "../../contract/errors/realm.ts";
import { nothing } from "../../contract/shapes/value-types.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import { endpoint, json, optional } from "../../endpoint.ts";
import type { Realm, Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { mail } from "../mail/actions.ts";
import { isDeactivated, isBeingDeleted } from "../realm/access.ts";
import { DELETION_DAYS_MAX, DELETION_DAYS_MIN, REALM_ID } from "../realm/rules.ts";
import { isBot, isOwner } from "../rights/rules.ts";
import { endAllSessions } from "../sessions/actions.ts";

export const DELETE_ORGANIZATION = "delete the organization";

/** Deletes the data after `deletion_delay_days`. If null, the data is not deleted. */
function deactivateOrganization(
  tx: Writer,
  { user_id }: User,
  deletion_delay_days: number | null = null,
): void {
  const delete_at =
    deletion_delay_days === null ? null : tx.now + deletion_delay_days * DAY_SECONDS;
  tx.deactivations.put({ realm_id: REALM_ID, user_id, timestamp: tx.now, delete_at });
  tx.emit({ type: "realm", op: "deactivated", realm_id: REALM_ID }, { to: "realm" });
  for (const owner of tx.users.range()) {
    if (!owner.is_active || !isOwner(owner) || isBot(owner)) continue;
    mail(tx, { about: "organization closed", user_id: owner.user_id, by_id: user_id });
  }
  endAllSessions(tx);
  enqueueDeletion(tx);
}

/** Only the operator can do this: no user of a deactivated organization can sign in. */
export function reactivateOrganization(tx: Writer): void {
  if (!isDeactivated(tx)) throw realmNotDeactivated();
  if (isBeingDeleted(tx)) throw deletionStarted();

  tx.deactivations.delete(REALM_ID);
}

/** Enqueues the deletion job for `delete_at`, if that is set. */
function enqueueDeletion(tx: Writer): void {
  const delete_at = tx.deactivations.get(REALM_ID)?.delete_at ?? null;
  if (delete_at !== null) tx.enqueue(DELETE_ORGANIZATION, delete_at * 1000, { delete_at });
}

/** Runs at every start: the server may have stopped before a deletion was complete. */
export async function resumeDeletion(realm: Realm): Promise<void> {
  if (isBeingDeleted(realm.read)) await realm.write(enqueueDeletion);
}

export const postRealmDeactivation = endpoint({
  summary: "Deactivate the organization",
  tag: "Organization",
  params: { deletion_delay_days: optional(json(Type.Union([Type.Integer(), Type.Null()]))) },
  answer: nothing,
  run: async ({ realm, user }, { deletion_delay_days: days = null }) => {
    if (days !== null && days < DELETION_DAYS_MIN) throw deletionTooSoon(DELETION_DAYS_MIN);
    if (days !== null && days > DELETION_DAYS_MAX) throw deletionTooLate(DELETION_DAYS_MAX);
    await realm.write((tx) => deactivateOrganization(tx, user, days));
    return {};
  },
});
