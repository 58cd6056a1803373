// The form of an invitation: roles, expiry and channels.
import { ADMINISTRATOR, GUEST, MEMBER, MODERATOR, OWNER } from "../../../../contract/roles.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { canAddTo, canReadChannel } from "../../channels/permissions.ts";
import { can } from "../../groups/permissions.ts";
import type { Picked } from "../../picker/selectors.ts";
import { isAdministrator, isOwner } from "../permissions.ts";
import { sendsMail } from "../selectors.ts";

const INVITATION_METHODS = ["mail", "link"] as const;
export type InvitationMethod = (typeof INVITATION_METHODS)[number];

export const PERMISSION = {
  mail: "can_invite_users_group",
  link: "create_multiuse_invite_group",
} as const;

export function availableMethods(): readonly InvitationMethod[] {
  subscribe("realm", "groups", `user:${getState().people.me}`);
  const methods = INVITATION_METHODS.filter((method) => can(getState(), PERMISSION[method]));
  // Links come first if there is no mail server, because invitations by address are links then.
  return sendsMail() ? methods : methods.toReversed();
}

export const canInvite = (): boolean => availableMethods().length > 0;

/** Users can give only roles up to their own. */
export function rolesToInvite(): readonly number[] {
  return [MEMBER, GUEST, MODERATOR, ADMINISTRATOR, OWNER].filter((role) => {
    if (role === OWNER) return isOwner();
    return role > MODERATOR || isAdministrator();
  });
}

const DAY_MINUTES = 1440;
/** null: never expires. */
export const MINUTES: readonly (number | null)[] = [
  DAY_MINUTES,
  3 * DAY_MINUTES,
  7 * DAY_MINUTES,
  30 * DAY_MINUTES,
  null,
];
export const DEFAULT_MINUTES = 7 * DAY_MINUTES;

const isDefault = (stream_id: number) => getState().channels.defaults.includes(stream_id);

/** Default channels are open to everyone; others require the permission to subscribe users. */
export function canAddToInvitation({ id }: Picked): boolean {
  const channel = getState().channels.channels.get(id);
  if (!channel || channel.row.is_archived || !canReadChannel(getState(), channel)) return false;
  return isDefault(id) || canAddTo(getState(), channel);
}

/** Guests get only channels that were selected for them. */
export function initialChannels(role: number): Picked[] {
  if (role === GUEST) return [];
  return getState().channels.defaults.map((id): Picked => ({ kind: "channel", id }));
}

interface InvitationValues {
  role: number;
  minutes: number | null;
  channels: readonly Picked[];
}

/** If all default channels are chosen, the defaults at the time of joining apply. */
export function requestOf({ role, minutes, channels }: InvitationValues) {
  const ids = channels.map(({ id }) => id);
  const { defaults } = getState().channels;
  const include_realm_default_subscriptions =
    role !== GUEST && defaults.length > 0 && defaults.every((id) => ids.includes(id));
  return {
    invite_as: role,
    invite_expires_in_minutes: minutes,
    include_realm_default_subscriptions,
    stream_ids: include_realm_default_subscriptions ? ids.filter((id) => !isDefault(id)) : ids,
  };
}
