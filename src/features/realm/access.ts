// Whether the organization is open.
import type { Reader } from "../../realm.ts";
import { REALM_ID } from "./rules.ts";

/**
 * The owner deactivated it: no user can sign in, and nothing is sent until an operator reactivates
 * it.
 */
export function isDeactivated(reader: Reader): boolean {
  return reader.deactivations.has(REALM_ID);
}

/** The deletion time has passed: it cannot be reactivated, even if some data still exists. */
export function isBeingDeleted(reader: Reader): boolean {
  const delete_at = reader.deactivations.get(REALM_ID)?.delete_at ?? null;
  return delete_at !== null && delete_at <= reader.now;
}
