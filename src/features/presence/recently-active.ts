// Users with recent presence or a client that still polls.
import type { Realm } from "../../realm.ts";
import { isWithin } from "./rules.ts";
import { presencesOf } from "./state.ts";

const RECENT_DAYS = 14;

/** Ascending. */
export function recentlyActive(realm: Realm): number[] {
  const { read, hub } = realm;
  const presences = presencesOf(realm);
  const people = [...read.users.range()].filter(({ is_active, user_id }) => {
    if (!is_active) return false;
    const presence = presences.get(user_id);
    const isSeen = presence !== undefined && isWithin(RECENT_DAYS, presence, read.now);
    return isSeen || hub.of(user_id).length > 0;
  });
  return people.map(({ user_id }) => user_id).sort((a, b) => a - b);
}
