// Whether the organization is open.
import type { Reader } from "../../realm.ts";
import { REALM_ID } from "./rules.ts";

/** Its owner closed it: nobody signs in, and nothing is sent until an operator reopens it. */
export function isClosed(reader: Reader): boolean {
  return reader.deactivations.has(REALM_ID);
}
