// Closing the organization: from then on nobody signs in, and no key works.
import Type from "typebox";
import { endpoint, json, optional } from "../../endpoint.ts";
import {
  deletionBegun,
  deletionTooLate,
  deletionTooSoon,
  realmNotDeactivated,
} from "../../errors-realm.ts";
import type { Realm, Writer } from "../../realm.ts";
import type { User } from "../../records.ts";
import { endAllSessions } from "../sessions/actions.ts";
import { mail } from "../mail/actions.ts";
import { isBot, isOwner } from "../users/rules.ts";
import { isClosed, isGoing } from "./access.ts";
import { DELETION_DAYS_MAX, DELETION_DAYS_MIN, REALM_ID } from "./rules.ts";

export const DELETE_ORGANIZATION = "delete the organization";
const DAY_SECONDS = 86_400;

/** Its data stays as it is, for so many days; null: as long as nobody deletes it. */
export function deactivateOrganization(
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
  awaitDeletion(tx);
}

/** The operator's to do: there is nobody left inside who could. */
export function reactivateOrganization(tx: Writer): void {
  if (!isClosed(tx)) throw realmNotDeactivated();
  if (isGoing(tx)) throw deletionBegun();

  tx.deactivations.delete(REALM_ID);
}

/** Leaves the work for its time. */
function awaitDeletion(tx: Writer): void {
  const delete_at = tx.deactivations.get(REALM_ID)?.delete_at ?? null;
  if (delete_at !== null) tx.enqueue(DELETE_ORGANIZATION, delete_at * 1000, { delete_at });
}

/** At every start: the work was taken up, perhaps, and the server died before it was done. */
export async function resumeDeletion(realm: Realm): Promise<void> {
  if (isGoing(realm.read)) await realm.write(awaitDeletion);
}

export const postRealmDeactivation = endpoint({
  params: { deletion_delay_days: optional(json(Type.Union([Type.Integer(), Type.Null()]))) },
  run: async ({ realm, user }, { deletion_delay_days: days = null }) => {
    if (days !== null && days < DELETION_DAYS_MIN) throw deletionTooSoon(DELETION_DAYS_MIN);
    if (days !== null && days > DELETION_DAYS_MAX) throw deletionTooLate(DELETION_DAYS_MAX);
    await realm.write((tx) => deactivateOrganization(tx, user, days));
    return {};
  },
});
