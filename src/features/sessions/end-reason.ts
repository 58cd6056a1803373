// Explains to a browser why its session has ended.
import { DAY_SECONDS } from "../../contract/units.ts";
import type { Realm, Writer } from "../../realm.ts";
import { sessionTokenOf } from "../../server/caller/session.ts";
import { findTicket, storeTicket } from "../secrets/one-time-links.ts";
import { endSessionsOf, sessionsOf } from "./actions.ts";
import { lastUserIn } from "./known-browsers.ts";

const ENDED_COOKIE = "session-ended";
const ENDED_SECONDS = 14 * DAY_SECONDS;

type EndReason = "account-deactivated" | "signed-out-by-admin";

/** Ends all sessions of another user, whose browsers are informed. */
export function endSessionsByAdmin(tx: Writer, user_id: number): void {
  for (const { hash } of sessionsOf(tx, user_id))
    storeTicket(tx, ENDED_COOKIE, hash, ENDED_SECONDS, { user_id });
  endSessionsOf(tx, user_id);
}

/**
 * The reason is returned only if the browser sends the cookies of the ended session, since it must
 * stay hidden from others. Undefined: there is no special reason.
 */
export function endReasonOf(realm: Realm, request: Request): EndReason | undefined {
  const { read } = realm;
  const token = sessionTokenOf(realm, request);
  if (token === undefined) return undefined;
  const user_id = lastUserIn(realm, request);
  if (user_id !== undefined && read.users.get(user_id)?.is_active === false)
    return "account-deactivated";
  return findTicket(read, ENDED_COOKIE, token) && "signed-out-by-admin";
}
