// Whether a user is active, idle or offline, from the last report of their clients.
import { OFFLINE_SECONDS } from "../../../features/presence/rules.ts";
import type { State } from "../../store/state.ts";

type Availability = "active" | "idle" | "away";

/** undefined if it is unknown, as for bots and deactivated users. */
export function presenceOf(
  { people, presence, settings }: State,
  user_id: number,
  now: number,
): Availability | undefined {
  const person = people.active.get(user_id);
  if (!person || person.is_bot) return undefined;
  // Users who hide their presence see themselves as hidden.
  if (user_id === people.me)
    return settings.settings["presence_enabled"] === false ? "away" : "active";
  const { active_timestamp = 0, idle_timestamp = 0 } = presence.presences[user_id] ?? {};
  if (now - active_timestamp <= OFFLINE_SECONDS) return "active";
  return now - idle_timestamp <= OFFLINE_SECONDS ? "idle" : "away";
}
