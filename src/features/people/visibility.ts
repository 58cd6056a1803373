// Events when a change of a setting or role changes which users guests can see.
import type { Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { canSeeEmail, isGuest } from "../rights/rules.ts";
import { visibilityTo } from "./access.ts";
import { emitHidden, emitVisible } from "./events.ts";
import { userUpdated } from "./wire.ts";

/** Call before the change, and the returned function after it. */
export function watchVisibilityOfAll(tx: Writer): () => void {
  const guests = [...tx.users.range()].filter((user) => user.is_active && isGuest(user));
  return watchVisibilityOf(tx, guests);
}

/**
 * Call it before a change and call the result after it: emits events for users who became visible
 * or hidden.
 */
export function watchVisibilityOf(tx: Writer, viewers: readonly User[]): () => void {
  const visibleBefore = viewers.map((viewer) => visibilityTo(tx, viewer));
  return () => {
    const canSee = viewers.map(({ user_id }) => visibilityTo(tx, tx.users.get(user_id)!));
    const people = [...tx.users.range()].filter((user) => !user.is_system_bot);
    for (const person of people.toSorted((a, b) => a.user_id - b.user_id)) {
      const changedTo = (to: boolean) => {
        const ones = viewers.filter(
          (_, index) => visibleBefore[index]!(person) !== to && canSee[index]!(person) === to,
        );
        return ones.map((viewer) => viewer.user_id);
      };
      const [newViewers, losing] = [changedTo(true), changedTo(false)];
      if (newViewers.length > 0) reveal(tx, person, newViewers);
      emitHidden(tx, person.user_id, losing);
    }
  };
}

/**
 * The email addresses of visible users before and after a role change. Call before the change, and
 * the returned function after it.
 */
export function watchAddresses(tx: Writer, before: User): () => void {
  const visibleBefore = visibilityTo(tx, before);
  return () => {
    const after = tx.users.get(before.user_id)!;
    const canSee = visibilityTo(tx, after);
    const audience = { to: "people", user_ids: [before.user_id] } as const;
    for (const person of [...tx.users.range()].toSorted((a, b) => a.user_id - b.user_id)) {
      const isSeen = canSeeEmail(after, person);
      if (isSeen === canSeeEmail(before, person) || !visibleBefore(person) || !canSee(person))
        continue;
      const delivery_email = isSeen ? person.delivery_email : null;
      tx.emit(userUpdated(person.user_id, { delivery_email }), audience);
    }
  };
}

/** Emits the address of a user to viewers who all have the same role. */
function reveal(tx: Writer, person: User, user_ids: readonly number[]): void {
  const isNotified = canSeeEmail(tx.users.get(user_ids[0]!)!, person);
  emitVisible(tx, person, user_ids, isNotified ? person.delivery_email : null);
}
