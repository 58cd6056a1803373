// Computes who sees and reads a channel, before and after a change.
import { type Asker, mayRead, maySee } from "../../../../features/channels/asker-rules.ts";
import type { Privacy } from "../../../../features/channels/rules.ts";
import { CHANNEL_PERMISSIONS } from "../../../../features/rights/permission-rules.ts";
import type { State } from "../../../state.ts";
import { type GroupSetting, membersOf } from "../../groups/state.ts";
import type { Person } from "../../people/state.ts";

/** The settings that decide who sees a channel. */
export type Open = Privacy & { [name in Deciding]: GroupSetting };
type Deciding = (typeof DECIDING)[number];
const DECIDING = [
  "can_subscribe_group",
  "can_add_subscribers_group",
  "can_administer_channel_group",
] as const;

export interface Sight {
  /** People who may read what is written there. */
  readers: Set<number>;
  /** People who know of it at all. */
  seers: Set<number>;
}

export function sightOf(state: State, open: Open, subscribers: ReadonlySet<number>): Sight {
  const holders = new Map<string, Set<number>>(
    DECIDING.map((name) => [name, membersOf(state.groups, open[name])]),
  );
  const sight: Sight = { readers: new Set(), seers: new Set() };
  for (const person of state.people.active.values()) {
    if (person.is_bot) continue;
    const asker = askerFor(person, subscribers, holders);
    if (mayRead(asker, open)) sight.readers.add(person.user_id);
    if (maySee(asker, open)) sight.seers.add(person.user_id);
  }
  return sight;
}

function askerFor(
  { user_id, role }: Person,
  subscribers: ReadonlySet<number>,
  holders: ReadonlyMap<string, ReadonlySet<number>>,
): Asker {
  return {
    role,
    isSubscribed: () => subscribers.has(user_id),
    // No setting of the organization opens a channel.
    may: () => false,
    mayHere: (name) => {
      if (role === 600 && !CHANNEL_PERMISSIONS[name].allow_everyone_group) return false;
      return holders.get(name)?.has(user_id) === true;
    },
  };
}

export interface Shift {
  gain: number[];
  lose: number[];
  /** Users who can no longer see the channel or find its name. */
  blind: number[];
}

export function shiftBetween(before: Sight, after: Sight): Shift {
  const without = (one: ReadonlySet<number>, other: ReadonlySet<number>) =>
    [...one].filter((id) => !other.has(id));
  return {
    gain: without(after.readers, before.readers),
    lose: without(before.readers, after.readers),
    blind: without(before.seers, after.seers),
  };
}
