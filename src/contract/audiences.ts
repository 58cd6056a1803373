// Resolves each kind of audience against the state right after the event's commit.
import { canSeeChannel, wasSubscribed } from "../features/channels/access.ts";
import { isInIntervals } from "../features/messages/access.ts";
import { hasAccessAfterMove } from "../features/messages/moved-access.ts";
import { FLAG_HISTORICAL } from "../features/messages/rules.ts";
import { canSeeUser } from "../features/people/access.ts";
import { isAdministrator, isGuest } from "../features/rights/rules.ts";
import type { Reader } from "../realm.ts";
import type { Subscription } from "../schema/records.ts";
import type { Audience } from "./events.ts";

/** Returns an upper bound of the number of users in the audience. */
export function sizeOf(reader: Reader, audience: Audience): number {
  if (audience.to === "people") return audience.user_ids.length;
  if (audience.to === "subscribers") {
    const subscribers = reader.subscriptions.countBy("channel", audience.stream_id);
    return subscribers + (audience.also?.length ?? 0);
  }
  return Infinity;
}

/** Yields the users of an audience of known size. */
export function* peopleOf(reader: Reader, audience: Audience, seq: number): Iterable<number> {
  if (audience.to === "people") {
    for (const id of audience.user_ids) if (!includesSorted(audience.except, id)) yield id;
  } else if (audience.to === "subscribers") {
    const { also, except } = audience;
    for (const sub of reader.subscriptions.listBy("channel", audience.stream_id)) {
      if (includesSorted(except, sub.user_id) || includesSorted(also, sub.user_id)) continue;
      if (receives(reader, audience, sub, seq)) yield sub.user_id;
    }
    if (also) yield* also;
  }
}

/** Whether the key (its id) or session (negative) with which this user polls is still valid. */
export function canReceive(reader: Reader, user_id: number, asked_with: number): boolean {
  // After the organization is closed, clients still receive that event; nothing follows it.
  if (reader.deactivations.has(1)) return true;
  if (!reader.users.get(user_id)?.is_active) return false;
  if (asked_with > 0) return reader.api_keys.has(asked_with);
  return (reader.sessions.get(-asked_with)?.expires ?? 0) > reader.now;
}

/** Whether the user is in the audience of the event with the number `seq`. */
export function isInAudience(
  reader: Reader,
  audience: Audience,
  user_id: number,
  seq: number,
): boolean {
  if (includesSorted(audience.except, user_id)) return false;
  if (audience.to === "people") return includesSorted(audience.user_ids, user_id);
  const user = reader.users.get(user_id);
  if (!user?.is_active) return false;
  switch (audience.to) {
    case "realm":
      return true;
    case "members":
      return !isGuest(user);
    case "administrators":
      return isAdministrator(user);
    case "subscribers": {
      if (includesSorted(audience.also, user_id)) return true;
      const sub = reader.subscriptions.get(user_id, audience.stream_id);
      return sub !== undefined && receives(reader, audience, sub, seq);
    }
    case "viewers":
    case "peers": {
      const channel = reader.channels.get(audience.stream_id);
      return channel !== undefined && canSeeChannel(reader, user, channel);
    }
    case "seers": {
      const subject = reader.users.get(audience.user_id);
      return subject !== undefined && canSeeUser(reader, user, subject);
    }
  }
}

function receives(
  reader: Reader,
  { having, formerly }: Extract<Audience, { to: "subscribers" }>,
  sub: Subscription,
  seq: number,
): boolean {
  if (wasSubscribed(sub, seq)) return having?.some((id) => hasMessage(reader, sub, id)) ?? true;
  if (!formerly?.some((id) => receivedIt(reader, sub, id))) return false;
  const user = reader.users.get(sub.user_id);
  return user !== undefined && !isGuest(user);
}

/** Whether the subscriber received the message, or got access to it later. */
function hasMessage(reader: Reader, sub: Subscription, message_id: number): boolean {
  if (receivedIt(reader, sub, message_id)) return true;
  return reader.flags.has([sub.user_id, FLAG_HISTORICAL], message_id);
}

/** The message itself may be deleted. */
function receivedIt(
  reader: Reader,
  { user_id, intervals }: Subscription,
  message_id: number,
): boolean {
  if (reader.moved.has([0], message_id)) return hasAccessAfterMove(reader, user_id, message_id);
  return isInIntervals(intervals, message_id);
}

const SHORT_LIST = 16;
const sets = new WeakMap<readonly number[], ReadonlySet<number>>();

/** A long list is searched once per queue, so it is converted to a set. */
function includesSorted(ids: readonly number[] | undefined, id: number): boolean {
  if (ids === undefined) return false;
  if (ids.length <= SHORT_LIST) return ids.includes(id);
  let set = sets.get(ids);
  if (!set) sets.set(ids, (set = new Set(ids)));
  return set.has(id);
}
