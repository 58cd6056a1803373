/** Presence and statuses of users. */
import type { Static } from "typebox";
import type {
  legacyPresenceShape,
  modernPresenceShape,
  userStatusShape,
} from "../../../contract/shapes/people.ts";
import type { Changed, Event, Snapshot, ExclusiveUnion } from "../../contract/snapshot.ts";

/** When a user was last active, and last at least idle, in seconds since 1970. */
type ModernPresence = Static<typeof modernPresenceShape>;
export type Presence = ExclusiveUnion<ModernPresence | Static<typeof legacyPresenceShape>>;

export type Status = Static<typeof userStatusShape>;

export interface Presences {
  /** Presence by user id, or by email address in the legacy form. */
  presences: Record<string, Presence>;
  /** The newest update in `presences`; the next request asks for later ones. */
  last_update_id: number;
  status: Map<number, Status>;
}

export const PRESENCE_FIELDS = ["presences", "presence_last_update_id", "user_status"] as const;

export function hydratePresence(snapshot: Snapshot): Presences {
  const status = Object.entries(snapshot.user_status ?? {});
  return {
    presences: { ...snapshot.presences },
    last_update_id: snapshot.presence_last_update_id ?? -1,
    status: new Map(status.map(([id, userStatus]) => [Number(id), userStatus])),
  };
}

export function dehydratePresence(slice: Presences): Partial<Snapshot> {
  return {
    presences: slice.presences,
    presence_last_update_id: slice.last_update_id,
    user_status: Object.fromEntries(slice.status),
  };
}

export function reducePresence(
  slice: Presences,
  event: Event<"presence" | "user_status">,
  changed: Changed,
): void {
  if (event.type === "user_status") reduceStatus(slice, event, changed);
  else if (event.presences) takePresences(slice, event.presences, changed);
  else reduceOlder(slice, event, changed);
}

/** Also applies the response to the user's own ping. */
export function takePresences(
  slice: Presences,
  presences: Readonly<Record<string, Presence>>,
  changed: Changed,
): void {
  Object.assign(slice.presences, presences);
  for (const id of Object.keys(presences)) changed.add(`presence:${id}`);
}

/** Removes the status of a user who is no longer visible. */
export function forgetStatus({ status }: Presences, user_id: number, changed: Changed): void {
  if (status.delete(user_id)) changed.add(`status:${user_id}`);
}

type OlderPresence = Extract<Event<"presence">, { user_id: number }>;

/** The legacy forms, for clients that do not support the modern one. */
function reduceOlder({ presences }: Presences, event: OlderPresence, changed: Changed): void {
  const { user_id, presence, email } = event;
  changed.add(`presence:${user_id}`);
  if (email !== undefined) {
    const { pushable: _pushable, ...aggregated } = presence.website;
    presences[email] = { aggregated, website: presence.website };
  } else if (presence.website.status === "active") {
    const { timestamp } = presence.website;
    presences[user_id] = { active_timestamp: timestamp, idle_timestamp: timestamp };
  }
}

function reduceStatus({ status }: Presences, event: Event<"user_status">, changed: Changed): void {
  const { type: _type, id: _id, user_id, ...fields } = event;
  const now: Status = { ...status.get(user_id), ...fields };
  for (const [name, value] of Object.entries(now))
    if (value === "" || value === false) Reflect.deleteProperty(now, name);
  if (!("emoji_name" in now)) delete now.reaction_type;
  if (Object.keys(now).length > 0) status.set(user_id, now);
  else status.delete(user_id);
  changed.add(`status:${user_id}`);
}
