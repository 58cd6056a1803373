// Channel permissions of a user, shared by the server and the browser.
import { ADMINISTRATOR, GUEST } from "../../contract/roles.ts";
import type { ChannelPermission, RealmPermission } from "../rights/permission-rules.ts";
import type { Privacy } from "./rules.ts";

/** A user and a channel. Group memberships are evaluated only when a rule needs them. */
export interface Requester {
  readonly role: number;
  isSubscribed(): boolean;
  /** Permission from a setting of the organization. */
  may(name: RealmPermission): boolean;
  /** Permission from a setting of this channel. */
  mayHere(name: ChannelPermission): boolean;
}

const isGuest = ({ role }: Requester) => role === GUEST;
const isAdministrator = ({ role }: Requester) => role <= ADMINISTRATOR;

/** Access to content: reading messages and subscribing. */
export function mayRead(requester: Requester, kind: Privacy): boolean {
  if (kind.is_web_public || (!isGuest(requester) && !kind.invite_only)) return true;
  if (requester.isSubscribed()) return true;
  if (isGuest(requester)) return false;
  return requester.mayHere("can_subscribe_group") || requester.mayHere("can_add_subscribers_group");
}

/** Access to metadata: name, description, settings and subscribers. */
export function maySee(requester: Requester, kind: Privacy): boolean {
  return mayRead(requester, kind) || (!isGuest(requester) && mayAdminister(requester));
}

/** Administrators administer every channel. */
export const mayAdminister = (requester: Requester): boolean =>
  isAdministrator(requester) || requester.mayHere("can_administer_channel_group");

/** Subscribing others to a channel that the user may read. */
export const mayAddSubscribers = (requester: Requester): boolean =>
  requester.may("can_add_subscribers_group") ||
  mayAdminister(requester) ||
  requester.mayHere("can_add_subscribers_group");

/** Unsubscribing others from a channel that the user may see. */
export const mayRemoveSubscribers = (requester: Requester): boolean =>
  mayAdminister(requester) || requester.mayHere("can_remove_subscribers_group");

type InRealm = Pick<Requester, "role" | "may">;

/** Creating channels of this privacy. */
export function mayCreate({ may }: Pick<Requester, "may">, kind: Privacy): boolean {
  if (kind.is_web_public) return may("can_create_web_public_channel_group");
  if (kind.invite_only) return may("can_create_private_channel_group");
  return may("can_create_public_channel_group");
}

/** Setting a channel's topic policy. Administrators always may. */
export const maySetTopicsPolicy = ({ role, may }: InRealm): boolean =>
  role <= ADMINISTRATOR || may("can_set_topics_policy_group");

/** Setting a channel's delete permissions. Administrators always may. */
export const maySetDeletePolicy = ({ role, may }: InRealm): boolean =>
  role <= ADMINISTRATOR || may("can_set_delete_message_policy_group");
