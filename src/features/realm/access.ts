// Whether the organization is open.
import type { Reader } from "../../realm.ts";
import { REALM_ID } from "./rules.ts";

/** Its owner closed it: nobody signs in, and nothing is sent until an operator reopens it. */
export function isClosed(reader: Reader): boolean {
  return reader.deactivations.has(REALM_ID);
}

/** Its time has come: nobody opens it again, whatever there still is of it. */
export function isGoing(reader: Reader): boolean {
  const delete_at = reader.deactivations.get(REALM_ID)?.delete_at ?? null;
  return delete_at !== null && delete_at <= reader.now;
}
