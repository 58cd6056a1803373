// Whether somebody is there, idle or away, by what their clients told last.
import { OFFLINE_SECONDS } from "../../../features/presence/rules.ts";
import type { State } from "../../state.ts";

export type Standing = "active" | "idle" | "away";

/** undefined: it is not to be known, as of bots, and of whose account is switched off. */
export function standingOf(
  { people, presence, settings }: State,
  user_id: number,
  now: number,
): Standing | undefined {
  const person = people.active.get(user_id);
  if (!person || person.is_bot) return undefined;
  // Users who hide their presence see themselves as hidden.
  if (user_id === people.me)
    return settings.settings["presence_enabled"] === false ? "away" : "active";
  const { active_timestamp = 0, idle_timestamp = 0 } = presence.presences[user_id] ?? {};
  if (now - active_timestamp <= OFFLINE_SECONDS) return "active";
  return now - idle_timestamp <= OFFLINE_SECONDS ? "idle" : "away";
}
