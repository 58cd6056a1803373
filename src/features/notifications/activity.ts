// Who is looking at the chat just now, and need not be told of what is said there.
import type { Realm } from "../../realm.ts";
import { OFFLINE_SECONDS, PING_SECONDS } from "../presence/rules.ts";
import { presencesOf } from "../presence/state.ts";

/** Who was active so lately sees messages as they come. */
const ACTIVE_SECONDS = OFFLINE_SECONDS - PING_SECONDS;

export function isActive(realm: Realm, user_id: number): boolean {
  const { active_timestamp = 0 } = presencesOf(realm).get(user_id) ?? {};
  return realm.read.now - active_timestamp < ACTIVE_SECONDS;
}
