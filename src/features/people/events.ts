// Emits events about users, with the email address only to viewers who may see it.
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Subscription, User } from "../../schema/records.ts";
import { isSubscribed } from "../channels/access.ts";
import { systemGroupId } from "../rights/access.ts";
import { canSeeEmail, emailVisibility, isGuest } from "../rights/rules.ts";
import { canSeeUser, isLimited } from "./access.ts";
import { statusChanged, statusObject } from "./status-wire.ts";
import { placeholderAdded, userAdded, userRemoved, userUpdated } from "./wire.ts";

/** Emits the event to viewers who may see the real address, and a variant with null to others. */
export function emitUser(
  tx: Writer,
  user: User,
  make: (delivery_email: string | null) => PlainEvent,
): void {
  if (emailVisibility(user) === 1) {
    tx.emit(make(user.delivery_email), { to: "seers", user_id: user.user_id });
    return;
  }
  const trusted = viewersOf(tx, user).filter((viewer) => canSeeEmail(viewer, user));
  const user_ids = trusted.map((viewer) => viewer.user_id);
  tx.emit(make(user.delivery_email), { to: "people", user_ids });
  tx.emit(make(null), { to: "seers", user_id: user.user_id, except: user_ids });
}

/** Clients that expect a complete list get a placeholder for users whom they cannot see. */
export function emitPlaceholder(tx: Writer, user: User): void {
  const blind = limitedNonViewers(tx, user);
  if (blind.length === 0) return;
  const user_ids = blind.map((guest) => guest.user_id);
  tx.emit(placeholderAdded(tx, user.user_id), { to: "people", user_ids });
}

/** Emits that guests can now see this user. `delivery_email`: the address as they may see it. */
export function emitVisible(
  tx: Writer,
  user: User,
  guests: readonly number[],
  delivery_email: string | null,
): void {
  if (guests.length === 0) return;
  const { user_id } = user;
  const audience = { to: "people", user_ids: guests } as const;
  tx.emit(userAdded(tx, user, delivery_email), audience);
  if (!user.is_active) tx.emit(userUpdated(user_id, { is_active: false }), audience);
  const status = statusObject(tx, user);
  if (Object.keys(status).length > 0) tx.emit(statusChanged(user_id, status), audience);
}

/**
 * Emits that the guests can no longer see this user. Some clients receive a placeholder instead of
 * a removal.
 */
export function emitHidden(tx: Writer, user_id: number, guests: readonly number[]): void {
  if (guests.length === 0) return;
  const audience = { to: "people", user_ids: guests } as const;
  tx.emit(userRemoved(user_id), audience);
  tx.emit(placeholderAdded(tx, user_id), audience);
}

/** The guests with limited visibility who can see this user. */
export function limitedViewers(reader: Reader, user: User): number[] {
  const guestViewers = limitedGuests(reader).filter((guest) => canSeeUser(reader, guest, user));
  return guestViewers.map((guest) => guest.user_id);
}

/** The guests who can see this user through these new subscriptions. */
export function guestsGainingAccess(
  reader: Reader,
  user: User,
  subscriptions: readonly Pick<Subscription, "stream_id">[],
): number[] {
  const blind = limitedNonViewers(reader, user);
  const newViewers = blind.filter(({ user_id }) =>
    subscriptions.some(({ stream_id }) => isSubscribed(reader, user_id, stream_id)),
  );
  return newViewers.map((guest) => guest.user_id);
}

/** The guests who cannot see this user. */
export function limitedNonViewers(reader: Reader, user: User): User[] {
  return limitedGuests(reader).filter((guest) => !canSeeUser(reader, guest, user));
}

function limitedGuests(reader: Reader): User[] {
  const everyone = systemGroupId(reader, "role:everyone");
  if (reader.settings.can_access_all_users_group === everyone) return [];
  const guests = [...reader.users.range()].filter((user) => user.is_active && isGuest(user));
  return guests.filter((guest) => isLimited(reader, guest));
}

/** The active users who can see this one. */
export function viewersOf(reader: Reader, user: User): User[] {
  const active = [...reader.users.range()].filter((viewer) => viewer.is_active);
  return active.filter((viewer) => canSeeUser(reader, viewer, user));
}
