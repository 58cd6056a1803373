// Which people a page shows, in which order: ten thousand are ordered once, and found by any word.
import type { State } from "../../../state.ts";
import type { Person } from "../../people/state.ts";
import { beginsAll, compareNames, folded } from "../../../matching.ts";

export const KINDS = ["people", "bots", "deactivated"] as const;
export type Kind = (typeof KINDS)[number];
export const ORDERS = ["name", "role", "joined", "seen"] as const;
export type Order = (typeof ORDERS)[number];

export interface PersonItem {
  key: string;
  person: Person;
}

export interface Wished {
  /** Undefined: of any. */
  role: number | undefined;
  words: string;
}

/** By searched text, since folding is slow and names seldom change. */
const hays = new Map<string, string>();

function hayOf({ full_name, delivery_email, email }: Person): string {
  const text = ` ${full_name} ${delivery_email ?? email}`;
  let hay = hays.get(text);
  if (hay === undefined) hays.set(text, (hay = folded(text)));
  return hay;
}

export function countsOf({ people }: State): Record<Kind, number> {
  let bots = 0;
  for (const { is_bot } of people.active.values()) if (is_bot) bots++;
  return { people: people.active.size - bots, bots, deactivated: people.deactivated.size };
}

/** All of a kind in order: asked for again when somebody has changed, and not at each letter. */
export function ordered(state: State, kind: Kind, order: Order): PersonItem[] {
  const { active, deactivated } = state.people;
  const all = [...(kind === "deactivated" ? deactivated : active).values()].filter(
    ({ is_bot }) => kind === "deactivated" || is_bot === (kind === "bots"),
  );
  const byName = (a: Person, b: Person) => compareNames(a.full_name, b.full_name);
  const seen = ({ user_id }: Person) => state.presence.presences[user_id]?.active_timestamp ?? 0;
  const by: Record<Order, (a: Person, b: Person) => number> = {
    name: byName,
    role: (a, b) => a.role - b.role || byName(a, b),
    joined: (a, b) => Date.parse(b.date_joined) - Date.parse(a.date_joined) || byName(a, b),
    seen: (a, b) => seen(b) - seen(a) || byName(a, b),
  };
  return all.sort(by[order]).map((person) => ({ key: `${person.user_id}`, person }));
}

/** Users of whom each word matches the start of a word come first. */
export function foundIn(all: readonly PersonItem[], { role, words }: Wished): PersonItem[] {
  const wanted = folded(words).split(/\s+/u).filter(Boolean);
  const first: PersonItem[] = [];
  const others: PersonItem[] = [];
  for (const item of all) {
    const { person } = item;
    if (role !== undefined && person.role !== role) continue;
    const hay = wanted.length === 0 ? "" : hayOf(person);
    if (!wanted.every((word) => hay.includes(word))) continue;
    if (wanted.length === 0 || beginsAll(wanted, hay)) first.push(item);
    else others.push(item);
  }
  return [...first, ...others];
}
