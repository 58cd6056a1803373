/** Presence and statuses of users. */
import type { Changed, Event, Snapshot } from "../../snapshot.ts";

/** Seconds since 1970 at which somebody was last active, and last at least idle. */
export interface Presence {
  active_timestamp?: number;
  idle_timestamp?: number;
}

export interface Status {
  status_text?: string;
  emoji_name?: string;
  emoji_code?: string;
  reaction_type?: string;
  away?: boolean;
}

export interface Presences {
  /** By user id, or by email address in the legacy form. */
  presences: Record<string, Presence>;
  /** The newest change that is in `presences`; the next question asks for what came after. */
  last_update_id: number;
  status: Map<number, Status>;
}

export const PRESENCE_FIELDS = ["presences", "presence_last_update_id", "user_status"];

export function hydratePresence(snapshot: Snapshot): Presences {
  const status = Object.entries<Status>(snapshot["user_status"] ?? {});
  return {
    presences: snapshot["presences"] ?? {},
    last_update_id: snapshot["presence_last_update_id"] ?? -1,
    status: new Map(status.map(([id, one]) => [Number(id), one])),
  };
}

export function dehydratePresence(slice: Presences): Record<string, unknown> {
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

/** Also what the answer to one's own presence tells of the others. */
export function takePresences(
  slice: Presences,
  presences: Record<string, Presence>,
  changed: Changed,
): void {
  Object.assign(slice.presences, presences);
  for (const id of Object.keys(presences)) changed.add(`presence:${id}`);
}

type OlderPresence = Extract<Event<"presence">, { user_id: number }>;

/** The forms that clients hear which cannot take the simple one. */
function reduceOlder({ presences }: Presences, event: OlderPresence, changed: Changed): void {
  const { user_id, presence, email } = event;
  changed.add(`presence:${user_id}`);
  if (email !== undefined) {
    const { pushable: _pushable, ...aggregated } = presence.website;
    presences[email] = { aggregated, website: presence.website } as Presence;
  } else if (presence.website.status === "active") {
    const { timestamp } = presence.website;
    presences[user_id] = { active_timestamp: timestamp, idle_timestamp: timestamp };
  }
}

function reduceStatus({ status }: Presences, event: Event<"user_status">, changed: Changed): void {
  const { type: _type, id: _id, user_id, ...said } = event;
  const entries = Object.entries({ ...status.get(user_id), ...said });
  const now = Object.fromEntries(entries.filter(([, value]) => value !== "" && value !== false));
  if (!("emoji_name" in now)) delete now["reaction_type"];
  if (Object.keys(now).length > 0) status.set(user_id, now as Status);
  else status.delete(user_id);
  changed.add(`status:${user_id}`);
}
