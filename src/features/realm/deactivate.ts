// Closing the organization: from then on nobody signs in, and no key works.
import Type from "typebox";
import { endpoint, json, optional } from "../../endpoint.ts";
import { deletionNotOffered, deletionTooSoon, realmNotDeactivated } from "../../errors.ts";
import type { Writer } from "../../realm.ts";
import type { User } from "../../records.ts";
import { isClosed } from "./access.ts";
import { DELETION_DAYS_MIN, REALM_ID } from "./rules.ts";

/** Its data stays as it is. */
export function deactivateOrganization(tx: Writer, { user_id }: User): void {
  tx.deactivations.put({ realm_id: REALM_ID, user_id, timestamp: tx.now });
  tx.emit({ type: "realm", op: "deactivated", realm_id: REALM_ID }, { to: "realm" });
}

/** The operator's to do: there is nobody left inside who could. */
export function reactivateOrganization(tx: Writer): void {
  if (!isClosed(tx)) throw realmNotDeactivated();

  tx.deactivations.delete(REALM_ID);
}

export const postRealmDeactivation = endpoint({
  params: { deletion_delay_days: optional(json(Type.Union([Type.Integer(), Type.Null()]))) },
  run: async ({ realm, user }, { deletion_delay_days: days }) => {
    if (days != null) {
      throw days < DELETION_DAYS_MIN ? deletionTooSoon(DELETION_DAYS_MIN) : deletionNotOffered();
    }
    await realm.write((tx) => deactivateOrganization(tx, user));
    return {};
  },
});
