// Whose accounts the user may administer from cards, profiles and lists.
import { ADMINISTRATOR, MODERATOR, OWNER } from "../../../contract/roles.ts";
import { HOUR_SECONDS } from "../../../contract/units.ts";
import type { State } from "../../store/state.ts";
import { roleOf } from "../groups/permissions.ts";
import type { Person } from "../people/state.ts";

/** Other users' active accounts; owners' accounts are left to owners. */
export function canManageAccount(state: State, person: Person): boolean {
  const { people } = state;
  const [role, { user_id, is_bot }] = [roleOf(state), person];
  if (user_id === people.me || is_bot || people.deactivated.has(user_id)) return false;
  return role === OWNER || (role <= ADMINISTRATOR && person.role !== OWNER);
}

/** Deactivated accounts of users; owners' accounts are left to owners. */
export function canReactivate(state: State, { user_id, is_bot, role }: Person): boolean {
  if (is_bot || !state.people.deactivated.has(user_id)) return false;
  return roleOf(state) === OWNER || (roleOf(state) <= ADMINISTRATOR && role !== OWNER);
}

/** Moderators can deactivate new accounts; the server knows which of them nobody invited. */
export function canDeactivateNewAccount(state: State, person: Person): boolean {
  const { people, organization } = state;
  const { user_id, is_bot } = person;
  if (user_id === people.me || is_bot || people.deactivated.has(user_id)) return false;
  if (roleOf(state) !== MODERATOR || person.role <= MODERATOR) return false;
  const hours = Number(organization.fields["realm_newcomer_hours"] ?? 0);
  const seconds = (Date.now() - Date.parse(person.date_joined)) / 1000;
  return seconds < hours * HOUR_SECONDS;
}
