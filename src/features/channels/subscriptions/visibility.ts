// Guests who see only users in their channels: who becomes visible or invisible through a change of
// subscriptions.
import type { Reader, Writer } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { isLimited, visibilityTo } from "../../people/access.ts";
import { emitHidden, emitVisible } from "../../people/events.ts";
import { systemGroupId } from "../../rights/access.ts";
import { publicEmail } from "../../rights/rules.ts";
import { subscriberIds } from "../wire.ts";

/** Call before the subscriptions change, and the returned function afterwards. */
export function watchVisibility(
  tx: Writer,
  stream_id: number,
  moving: readonly User[],
): () => void {
  const { can_access_all_users_group } = tx.settings;
  if (can_access_all_users_group === systemGroupId(tx, "role:everyone")) return () => {};
  const subscribers = subscriberIds(tx, stream_id).map((id) => tx.users.get(id)!);
  const people = [...new Set([...subscribers, ...moving])].filter((user) => user.is_active);
  const guests = people.filter((user) => isLimited(tx, user));
  const before = visiblePairs(tx, guests, people);
  return () => {
    const after = visiblePairs(tx, guests, people);
    for (const person of people) {
      const newViewers = difference(after.get(person)!, before.get(person)!);
      const losing = difference(before.get(person)!, after.get(person)!);
      emitVisible(tx, person, newViewers, publicEmail(person));
      emitHidden(tx, person.user_id, losing);
    }
  };
}

/** Maps each user to the guests who see them. */
function visiblePairs(reader: Reader, guests: readonly User[], people: readonly User[]) {
  const newViewersOf = new Map(people.map((person) => [person, new Set<number>()]));
  for (const guest of guests) {
    const canSee = visibilityTo(reader, guest);
    for (const person of people) if (canSee(person)) newViewersOf.get(person)!.add(guest.user_id);
  }
  return newViewersOf;
}

const difference = (first: ReadonlySet<number>, other: ReadonlySet<number>) =>
  [...first].filter((id) => !other.has(id));
