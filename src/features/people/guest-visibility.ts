// A first direct message makes users visible to guests with limited visibility.
import type { Reader, Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { canSeeEmail } from "../rights/rules.ts";
import { canSeeUser, isLimited } from "./access.ts";
import { emitVisible } from "./events.ts";

interface NewlyVisible {
  guest: User;
  person: User;
}

/** The pairs of users of a new conversation who do not see each other yet. */
export function newlyVisiblePairs(reader: Reader, people: readonly User[]): NewlyVisible[] {
  const guests = people.filter((user) => isLimited(reader, user));
  return guests.flatMap((guest) =>
    people
      .filter((person) => !canSeeUser(reader, guest, person))
      .map((person) => ({ guest, person })),
  );
}

export function emitVisibleUser(tx: Writer, guest: User, person: User): void {
  const address = canSeeEmail(guest, person) ? person.delivery_email : null;
  emitVisible(tx, person, [guest.user_id], address);
}
