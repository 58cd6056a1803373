// Presence for clients: the modern form, the legacy form, and the event in three forms.
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader } from "../../realm.ts";
import type { Presence } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { emailOf } from "../people/wire.ts";
import { OFFLINE_SECONDS, statusOf, type PresenceTimes } from "./rules.ts";

/** Users who were never active count as active when they joined. */
export function timesOf(user: User, { active_timestamp, idle_timestamp }: Presence): PresenceTimes {
  return { active_timestamp: active_timestamp || user.date_joined, idle_timestamp };
}

function website(times: PresenceTimes) {
  const { status, timestamp } = statusOf(times);
  return { client: "website", status, timestamp, pushable: false as const };
}

/** An entry of the legacy form, keyed by the user's email address. */
export function legacyPresence(user: User, presence: Presence) {
  const entry = website(timesOf(user, presence));
  const { client, status, timestamp } = entry;
  return { aggregated: { client, status, timestamp }, website: entry };
}

/** The presence of the requested user. */
export function singlePresence(user: User, presence: Presence, now: number) {
  const times = timesOf(user, presence);
  const { status, timestamp } = statusOf(times);
  const isOffline = now - timestamp > OFFLINE_SECONDS;
  return {
    ...times,
    website: { status, timestamp },
    aggregated: { status: isOffline ? ("offline" as const) : status, timestamp },
  };
}

/** All three forms at once; `presenceEventFor` selects the one that a client understands. */
export function presenceChanged(
  reader: Reader,
  user: User,
  presence: Presence,
  server_timestamp: number,
): PlainEvent {
  const times = timesOf(user, presence);
  return {
    type: "presence",
    user_id: user.user_id,
    email: emailOf(reader, user),
    server_timestamp,
    presence: { website: website(times) },
    presences: { [user.user_id]: times },
  };
}

export function presenceEventFor(
  event: PlainEvent,
  form: "modern" | "slim" | "legacy",
): PlainEvent {
  const { presences, email, ...slim } = event;
  if (form === "modern") return { type: "presence", presences };
  return form === "slim" ? slim : { ...slim, email };
}
