// What a person may do in a channel: asked by the server and by the browser, of what each knows.
import { ADMINISTRATOR, GUEST } from "../../contract/roles.ts";
import type { ChannelPermission, RealmPermission } from "../rights/permission-rules.ts";
import type { Privacy } from "./rules.ts";

/** A person before a channel: groups are looked into only where a rule asks for them. */
export interface Asker {
  readonly role: number;
  isSubscribed(): boolean;
  /** By a setting of the organization. */
  may(name: RealmPermission): boolean;
  /** By a setting of this channel. */
  mayHere(name: ChannelPermission): boolean;
}

const isGuest = ({ role }: Asker) => role === GUEST;
const isAdministrator = ({ role }: Asker) => role <= ADMINISTRATOR;

/** Content: reading messages, and subscribing. */
export function mayRead(asker: Asker, kind: Privacy): boolean {
  if (kind.is_web_public || (!isGuest(asker) && !kind.invite_only)) return true;
  if (asker.isSubscribed()) return true;
  if (isGuest(asker)) return false;
  return asker.mayHere("can_subscribe_group") || asker.mayHere("can_add_subscribers_group");
}

/** Metadata: the name, the description, the settings, the subscribers. */
export function maySee(asker: Asker, kind: Privacy): boolean {
  return mayRead(asker, kind) || (!isGuest(asker) && mayAdminister(asker));
}

/** Administrators administer every channel. */
export const mayAdminister = (asker: Asker): boolean =>
  isAdministrator(asker) || asker.mayHere("can_administer_channel_group");

/** Subscribing others, in a channel that the asker may read. */
export const mayAddSubscribers = (asker: Asker): boolean =>
  asker.may("can_add_subscribers_group") ||
  mayAdminister(asker) ||
  asker.mayHere("can_add_subscribers_group");

/** Unsubscribing others, in a channel that the asker may see. */
export const mayRemoveSubscribers = (asker: Asker): boolean =>
  mayAdminister(asker) || asker.mayHere("can_remove_subscribers_group");

type InRealm = Pick<Asker, "role" | "may">;

/** Making channels of this kind. */
export function mayMake({ may }: Pick<Asker, "may">, kind: Privacy): boolean {
  if (kind.is_web_public) return may("can_create_web_public_channel_group");
  if (kind.invite_only) return may("can_create_private_channel_group");
  return may("can_create_public_channel_group");
}

/** Saying in a channel what topics it may have: besides those named, always administrators. */
export const maySetTopicsPolicy = ({ role, may }: InRealm): boolean =>
  role <= ADMINISTRATOR || may("can_set_topics_policy_group");

/** Saying in a channel who deletes: besides those named, always administrators. */
export const maySetDeletePolicy = ({ role, may }: InRealm): boolean =>
  role <= ADMINISTRATOR || may("can_set_delete_message_policy_group");
