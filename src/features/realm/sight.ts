// Whether guests see everyone or some: what they hear when the organization changes its mind.
import type { Writer } from "../../realm.ts";
import type { User } from "../../records.ts";
import { sightOf } from "../users/access.ts";
import { isGuest, shownToAll } from "../users/rules.ts";
import { strangerAdded, userAdded, userRemoved, userUpdated } from "../users/wire.ts";

/** Called before the change; call the answer after. */
export function watchEveryonesSight(tx: Writer): () => void {
  const people = [...tx.users.range()].filter((user) => !user.is_system_bot);
  people.sort((a, b) => a.user_id - b.user_id);
  const guests = people.filter((user) => user.is_active && isGuest(user));
  const saw = guests.map((guest) => sightOf(tx, guest));
  return () => {
    const sees = guests.map((guest) => sightOf(tx, guest));
    for (const person of people) {
      const turned = (to: boolean) => {
        const ones = guests.filter((_, at) => saw[at]!(person) !== to && sees[at]!(person) === to);
        return ones.map((guest) => guest.user_id);
      };
      const [gaining, losing] = [turned(true), turned(false)];
      if (gaining.length > 0) reveal(tx, person, gaining);
      if (losing.length > 0) hide(tx, person, losing);
    }
  };
}

function reveal(tx: Writer, person: User, user_ids: readonly number[]): void {
  const guests = { to: "people", user_ids } as const;
  tx.emit(userAdded(tx, person, shownToAll(person)), guests);
  if (!person.is_active) tx.emit(userUpdated(person.user_id, { is_active: false }), guests);
}

/** A client that expects a complete list gets a placeholder. */
function hide(tx: Writer, { user_id, is_active }: User, user_ids: readonly number[]): void {
  const guests = { to: "people", user_ids } as const;
  tx.emit(userRemoved(user_id), guests);
  tx.emit(strangerAdded(tx, user_id), guests);
  if (is_active) return;
  tx.emit({ ...userUpdated(user_id, { is_active: false }), lacks: "user_list_incomplete" }, guests);
}
