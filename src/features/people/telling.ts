// Tells of people: to each what they may know of a person's address, and to guests placeholders.
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Subscription, User } from "../../schema/records.ts";
import { isSubscribed } from "../channels/access.ts";
import { systemGroupId } from "../rights/access.ts";
import { canSeeEmail, emailVisibility, isGuest } from "../rights/rules.ts";
import { canSeeUser, isLimited } from "./access.ts";
import { strangerAdded, userRemoved } from "./wire.ts";

/** Emits the event to viewers who may see the real address, and a variant with null to others. */
export function tellOfUser(
  tx: Writer,
  user: User,
  make: (delivery_email: string | null) => PlainEvent,
): void {
  if (emailVisibility(user) === 1) {
    tx.emit(make(user.delivery_email), { to: "seers", user_id: user.user_id });
    return;
  }
  const trusted = seersOf(tx, user).filter((viewer) => canSeeEmail(viewer, user));
  const user_ids = trusted.map((viewer) => viewer.user_id);
  tx.emit(make(user.delivery_email), { to: "people", user_ids });
  tx.emit(make(null), { to: "seers", user_id: user.user_id, except: user_ids });
}

/** A client that expects a complete list gets a placeholder for a person out of its sight. */
export function tellStrangers(tx: Writer, user: User): void {
  const blind = blindTo(tx, user);
  if (blind.length === 0) return;
  const user_ids = blind.map((guest) => guest.user_id);
  tx.emit(strangerAdded(tx, user.user_id), { to: "people", user_ids });
}

/** To guests who see this person no more; some clients get a placeholder then. */
export function tellHidden(tx: Writer, user_id: number, guests: readonly number[]): void {
  if (guests.length === 0) return;
  const audience = { to: "people", user_ids: guests } as const;
  tx.emit(userRemoved(user_id), audience);
  tx.emit(strangerAdded(tx, user_id), audience);
}

/** The guests who see only some people, this one among them. */
export function limitedSeers(reader: Reader, user: User): number[] {
  const seeing = limitedGuests(reader).filter((guest) => canSeeUser(reader, guest, user));
  return seeing.map((guest) => guest.user_id);
}

/** The limited guests to whom this person comes in sight with these subscriptions. */
export function guestsGaining(
  reader: Reader,
  user: User,
  subscriptions: readonly Pick<Subscription, "stream_id">[],
): number[] {
  const blind = blindTo(reader, user);
  const gaining = blind.filter(({ user_id }) =>
    subscriptions.some(({ stream_id }) => isSubscribed(reader, user_id, stream_id)),
  );
  return gaining.map((guest) => guest.user_id);
}

/** The limited guests who do not see this person. */
export function blindTo(reader: Reader, user: User): User[] {
  return limitedGuests(reader).filter((guest) => !canSeeUser(reader, guest, user));
}

function limitedGuests(reader: Reader): User[] {
  const everyone = systemGroupId(reader, "role:everyone");
  if (reader.settings.can_access_all_users_group === everyone) return [];
  const guests = [...reader.users.range()].filter((user) => user.is_active && isGuest(user));
  return guests.filter((guest) => isLimited(reader, guest));
}

/** The active people who see this one. */
export function seersOf(reader: Reader, user: User): User[] {
  const active = [...reader.users.range()].filter((viewer) => viewer.is_active);
  return active.filter((viewer) => canSeeUser(reader, viewer, user));
}
