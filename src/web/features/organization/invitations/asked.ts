// The form of an invitation: roles, expiry and channels.
import { ADMINISTRATOR, GUEST, MEMBER, MODERATOR, OWNER } from "../../../../contract/roles.ts";
import { keyed, now } from "../../../live.ts";
import { mayAddTo, mayReadChannel } from "../../channels/asker.ts";
import { may } from "../../groups/may.ts";
import type { Picked } from "../../picker/candidates.ts";
import { isAdministrator, isOwner } from "../may.ts";

export const WAYS = ["mail", "link"] as const;
export type Way = (typeof WAYS)[number];

export const PERMISSION = {
  mail: "can_invite_users_group",
  link: "create_multiuse_invite_group",
} as const;

export function waysOpen(): readonly Way[] {
  keyed("realm", "groups", `user:${now().people.me}`);
  return WAYS.filter((way) => may(now(), PERMISSION[way]));
}

export const mayInvite = (): boolean => waysOpen().length > 0;

/** Higher roles are given by those who have them. */
export function rolesToInvite(): readonly number[] {
  return [MEMBER, GUEST, MODERATOR, ADMINISTRATOR, OWNER].filter((role) => {
    if (role === OWNER) return isOwner();
    return role > MODERATOR || isAdministrator();
  });
}

const DAY_MINUTES = 1440;
/** null: for ever. */
export const MINUTES: readonly (number | null)[] = [
  DAY_MINUTES,
  3 * DAY_MINUTES,
  7 * DAY_MINUTES,
  30 * DAY_MINUTES,
  null,
];
export const USUAL_MINUTES = 7 * DAY_MINUTES;

const isDefault = (stream_id: number) => now().channels.defaults.includes(stream_id);

/** Default channels are open to all; into others one brings people where one may do so anyhow. */
export function mayBringInto({ id }: Picked): boolean {
  const known = now().channels.channels.get(id);
  if (!known || known.row.is_archived || !mayReadChannel(now(), known)) return false;
  return isDefault(id) || mayAddTo(now(), known);
}

/** Guests see nothing that nobody chose for them. */
export function channelsAtFirst(role: number): Picked[] {
  if (role === GUEST) return [];
  return now().channels.defaults.map((id): Picked => ({ kind: "channel", id }));
}

export interface Wanted {
  role: number;
  minutes: number | null;
  channels: readonly Picked[];
}

/** If all default channels are chosen, the defaults at the time of joining apply. */
export function askedOf({ role, minutes, channels }: Wanted) {
  const ids = channels.map(({ id }) => id);
  const { defaults } = now().channels;
  const include_realm_default_subscriptions =
    role !== GUEST && defaults.length > 0 && defaults.every((id) => ids.includes(id));
  return {
    invite_as: role,
    invite_expires_in_minutes: minutes,
    include_realm_default_subscriptions,
    stream_ids: include_realm_default_subscriptions ? ids.filter((id) => !isDefault(id)) : ids,
  };
}
