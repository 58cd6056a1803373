// What the user may do with another account.
import { ADMINISTRATOR, GUEST, MEMBER, MODERATOR, OWNER } from "../../../../contract/roles.ts";
import { now } from "../../../live.ts";
import { type Person, personOf } from "../../people/state.ts";
import { isAdministrator, isOwner } from "../may.ts";

export const ROLES = [OWNER, ADMINISTRATOR, MODERATOR, MEMBER, GUEST] as const;

/** Administrators can rename and reactivate anyone. */
export const mayRename = isAdministrator;

/** and leaves what owners are to owners. */
export function mayAdminister({ role }: Pick<Person, "role">): boolean {
  return isOwner() || (isAdministrator() && role !== OWNER);
}

/** The roles that one may give; a bot gets none above its owner's. */
export function rolesFor(person: Person): readonly number[] {
  const { bot_owner_id } = person;
  const owner = bot_owner_id ? personOf(now().people, bot_owner_id) : undefined;
  const least = person.is_bot ? (owner?.role ?? OWNER) : OWNER;
  return ROLES.filter((role) => role >= least && (role !== OWNER || isOwner()));
}
