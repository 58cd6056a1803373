// Permissions of the user over other accounts.
import { ADMINISTRATOR, GUEST, MEMBER, MODERATOR, OWNER } from "../../../../contract/roles.ts";
import { getState } from "../../../store/store.ts";
import { type Person, personOf } from "../../people/state.ts";
import { isAdministrator, isOwner } from "../permissions.ts";

export const ROLES = [OWNER, ADMINISTRATOR, MODERATOR, MEMBER, GUEST] as const;

/** Administrators can rename anyone. */
export const canRename = isAdministrator;

/** Only owners can change owners' accounts. */
export function canAdminister({ role }: Pick<Person, "role">): boolean {
  return isOwner() || (isAdministrator() && role !== OWNER);
}

/** The roles that the user may give; a bot's role is at most its owner's. */
export function rolesFor(person: Person): readonly number[] {
  const { bot_owner_id } = person;
  const owner = bot_owner_id ? personOf(getState().people, bot_owner_id) : undefined;
  const least = person.is_bot ? (owner?.role ?? OWNER) : OWNER;
  return ROLES.filter((role) => role >= least && (role !== OWNER || isOwner()));
}
