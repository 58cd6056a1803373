// Channel permissions of a user, shared by the server and the browser.
import { ADMINISTRATOR, GUEST } from "../../contract/roles.ts";
import type { ChannelPermission, RealmPermission } from "../rights/permission-rules.ts";
import type { Privacy } from "./rules.ts";

/** A user and a channel. Group memberships are evaluated only when a rule needs them. */
export interface Requester {
  readonly role: number;
  isSubscribed(): boolean;
  /** Permission from a setting of the organization. */
  hasPermission(name: RealmPermission): boolean;
  /** Permission from a setting of this channel. */
  hasChannelPermission(name: ChannelPermission): boolean;
}

const isGuest = ({ role }: Requester) => role === GUEST;
const isAdministrator = ({ role }: Requester) => role <= ADMINISTRATOR;

/** Access to content: reading messages and subscribing. */
export function canRead(requester: Requester, kind: Privacy): boolean {
  if (kind.is_web_public || (!isGuest(requester) && !kind.invite_only)) return true;
  if (requester.isSubscribed()) return true;
  if (isGuest(requester)) return false;
  return (
    requester.hasChannelPermission("can_subscribe_group") ||
    requester.hasChannelPermission("can_add_subscribers_group")
  );
}

/** Access to metadata: name, description, settings and subscribers. */
export function canSee(requester: Requester, kind: Privacy): boolean {
  return canRead(requester, kind) || (!isGuest(requester) && canAdminister(requester));
}

/** Administrators administer every channel. */
export const canAdminister = (requester: Requester): boolean =>
  isAdministrator(requester) || requester.hasChannelPermission("can_administer_channel_group");

/** Subscribing others to a channel that the user may read. */
export const canAddSubscribers = (requester: Requester): boolean =>
  requester.hasPermission("can_add_subscribers_group") ||
  canAdminister(requester) ||
  requester.hasChannelPermission("can_add_subscribers_group");

/** Unsubscribing others from a channel that the user may see. */
export const canRemoveSubscribers = (requester: Requester): boolean =>
  canAdminister(requester) || requester.hasChannelPermission("can_remove_subscribers_group");

type InRealm = Pick<Requester, "role" | "hasPermission">;

/** Creating channels of this privacy. */
export function canCreate(
  { hasPermission }: Pick<Requester, "hasPermission">,
  kind: Privacy,
): boolean {
  if (kind.is_web_public) return hasPermission("can_create_web_public_channel_group");
  if (kind.invite_only) return hasPermission("can_create_private_channel_group");
  return hasPermission("can_create_public_channel_group");
}

/** Setting a channel's topic policy. Administrators always may. */
export const canSetTopicsPolicy = ({ role, hasPermission }: InRealm): boolean =>
  role <= ADMINISTRATOR || hasPermission("can_set_topics_policy_group");

/** Setting a channel's delete permissions. Administrators always may. */
export const canSetDeletePolicy = ({ role, hasPermission }: InRealm): boolean =>
  role <= ADMINISTRATOR || hasPermission("can_set_delete_message_policy_group");
