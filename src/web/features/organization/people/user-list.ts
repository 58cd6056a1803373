// The users on a page: sorted once and searchable by any word, even with ten thousand users.
import type { State } from "../../../store/state.ts";
import type { Person } from "../../people/state.ts";
import { matchesAllWords, compareNames, folded } from "../../../matching.ts";

export const KINDS = ["people", "bots", "deactivated"] as const;
export type PeopleKind = (typeof KINDS)[number];
export const ORDERS = ["name", "role", "joined", "seen"] as const;
export type PeopleOrder = (typeof ORDERS)[number];

interface PersonItem {
  key: string;
  person: Person;
}

interface UserSearch {
  /** undefined: any role. */
  role: number | undefined;
  text: string;
}

/** Folded names by text, since folding is slow and names seldom change. */
const searchTexts = new Map<string, string>();

function searchTextOf({ full_name, delivery_email, email }: Person): string {
  const text = ` ${full_name} ${delivery_email ?? email}`;
  let searchText = searchTexts.get(text);
  if (searchText === undefined) searchTexts.set(text, (searchText = folded(text)));
  return searchText;
}

export function countsOf({ people }: State): Record<PeopleKind, number> {
  let bots = 0;
  for (const { is_bot } of people.active.values()) if (is_bot) bots++;
  return { people: people.active.size - bots, bots, deactivated: people.deactivated.size };
}

/** All users of a kind, sorted; computed again only when a user has changed. */
export function sortedPeople(state: State, kind: PeopleKind, order: PeopleOrder): PersonItem[] {
  const { active, deactivated } = state.people;
  const all = [...(kind === "deactivated" ? deactivated : active).values()].filter(
    ({ is_bot }) => kind === "deactivated" || is_bot === (kind === "bots"),
  );
  const byName = (a: Person, b: Person) => compareNames(a.full_name, b.full_name);
  const lastActive = ({ user_id }: Person) =>
    state.presence.presences[user_id]?.active_timestamp ?? 0;
  const comparators: Record<PeopleOrder, (a: Person, b: Person) => number> = {
    name: byName,
    role: (a, b) => a.role - b.role || byName(a, b),
    joined: (a, b) => Date.parse(b.date_joined) - Date.parse(a.date_joined) || byName(a, b),
    seen: (a, b) => lastActive(b) - lastActive(a) || byName(a, b),
  };
  return all.sort(comparators[order]).map((person) => ({ key: `${person.user_id}`, person }));
}

/** Users of whom each word matches the start of a word come first. */
export function filterPeople(all: readonly PersonItem[], { role, text }: UserSearch): PersonItem[] {
  const terms = folded(text).split(/\s+/u).filter(Boolean);
  const first: PersonItem[] = [];
  const others: PersonItem[] = [];
  for (const item of all) {
    const { person } = item;
    if (role !== undefined && person.role !== role) continue;
    const searchText = terms.length === 0 ? "" : searchTextOf(person);
    if (!terms.every((word) => searchText.includes(word))) continue;
    if (terms.length === 0 || matchesAllWords(terms, searchText)) first.push(item);
    else others.push(item);
  }
  return [...first, ...others];
}
