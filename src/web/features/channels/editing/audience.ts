// Computes who sees and reads a channel, before and after a change.
import { type Requester, canRead, canSee } from "../../../../features/channels/permission-rules.ts";
import type { Privacy } from "../../../../features/channels/rules.ts";
import { CHANNEL_PERMISSIONS } from "../../../../features/rights/permission-rules.ts";
import type { State } from "../../../store/state.ts";
import type { GroupSetting } from "../../groups/state.ts";
import { membersOf } from "../../groups/member-selectors.ts";
import type { Person } from "../../people/state.ts";

/** The settings that decide who sees a channel. */
export type AudienceSettings = Privacy & { [name in AudiencePermission]: GroupSetting };
type AudiencePermission = (typeof AUDIENCE_PERMISSIONS)[number];
const AUDIENCE_PERMISSIONS = [
  "can_subscribe_group",
  "can_add_subscribers_group",
  "can_administer_channel_group",
] as const;

interface ChannelAudience {
  /** Users who can read its messages. */
  readers: Set<number>;
  /** Users who can see that it exists. */
  viewers: Set<number>;
}

export function audienceOf(
  state: State,
  open: AudienceSettings,
  subscribers: ReadonlySet<number>,
): ChannelAudience {
  const holders = new Map<string, Set<number>>(
    AUDIENCE_PERMISSIONS.map((name) => [name, membersOf(state.groups, open[name])]),
  );
  const audience: ChannelAudience = { readers: new Set(), viewers: new Set() };
  for (const person of state.people.active.values()) {
    if (person.is_bot) continue;
    const requester = requesterFor(person, subscribers, holders);
    if (canRead(requester, open)) audience.readers.add(person.user_id);
    if (canSee(requester, open)) audience.viewers.add(person.user_id);
  }
  return audience;
}

function requesterFor(
  { user_id, role }: Person,
  subscribers: ReadonlySet<number>,
  holders: ReadonlyMap<string, ReadonlySet<number>>,
): Requester {
  return {
    role,
    isSubscribed: () => subscribers.has(user_id),
    // Organization settings never give access to a channel.
    hasPermission: () => false,
    hasChannelPermission: (name) => {
      if (role === 600 && !CHANNEL_PERMISSIONS[name].allow_everyone_group) return false;
      return holders.get(name)?.has(user_id) === true;
    },
  };
}

export interface AudienceChange {
  gained: number[];
  lostIds: number[];
  /** Users who can no longer see the channel or find its name. */
  hidden: number[];
}

export function changeBetween(before: ChannelAudience, after: ChannelAudience): AudienceChange {
  const difference = (first: ReadonlySet<number>, other: ReadonlySet<number>) =>
    [...first].filter((id) => !other.has(id));
  return {
    gained: difference(after.readers, before.readers),
    lostIds: difference(before.readers, after.readers),
    hidden: difference(before.viewers, after.viewers),
  };
}
