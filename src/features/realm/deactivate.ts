// Closing the organization: from then on nobody signs in, and no key works.
import Type from "typebox";
import { endpoint, json, optional } from "../../endpoint.ts";
import { deletionNotOffered, deletionTooSoon, realmNotDeactivated } from "../../errors-realm.ts";
import type { Writer } from "../../realm.ts";
import type { User } from "../../records.ts";
import { endAllSessions } from "../sessions/actions.ts";
import { mail } from "../mail/actions.ts";
import { isBot, isOwner } from "../users/rules.ts";
import { isClosed } from "./access.ts";
import { DELETION_DAYS_MIN, REALM_ID } from "./rules.ts";

/** Its data stays as it is. */
export function deactivateOrganization(tx: Writer, { user_id }: User): void {
  tx.deactivations.put({ realm_id: REALM_ID, user_id, timestamp: tx.now });
  tx.emit({ type: "realm", op: "deactivated", realm_id: REALM_ID }, { to: "realm" });
  for (const owner of tx.users.range()) {
    if (!owner.is_active || !isOwner(owner) || isBot(owner)) continue;
    mail(tx, { about: "organization closed", user_id: owner.user_id, by_id: user_id });
  }
  endAllSessions(tx);
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
