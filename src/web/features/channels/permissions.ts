// The user and state with which the channel rules are evaluated.
import * as rules from "../../../features/channels/permission-rules.ts";
import type { Privacy } from "../../../features/channels/rules.ts";
import type { ChannelPermission } from "../../../features/rights/permission-rules.ts";
import type { State } from "../../store/state.ts";
import { findOrThrow } from "../../content/find-or-throw.ts";
import { can, passesChannelSetting, roleOf } from "../groups/permissions.ts";
import type { Channel, KnownChannel } from "./state.ts";

const GUEST = 600;
const ADMINISTRATOR = 200;
const OWNER = 100;

function requesterFor(state: State, { row, membership }: KnownChannel): rules.Requester {
  return {
    role: roleOf(state),
    isSubscribed: () => membership === "subscribed",
    hasPermission: (name) => can(state, name),
    hasChannelPermission: (name: ChannelPermission) => passesChannelSetting(state, row, name),
  };
}

const inRealm = (state: State) => ({
  role: roleOf(state),
  hasPermission: (name: Parameters<typeof can>[1]) => can(state, name),
});

export const isAdministrator = (state: State): boolean => roleOf(state) <= ADMINISTRATOR;
export const isOwner = (state: State): boolean => roleOf(state) <= OWNER;

export const canReadChannel = (state: State, channel: KnownChannel): boolean =>
  rules.canRead(requesterFor(state, channel), channel.row);

/** Users who cannot read a channel cannot join it, including administrators. */
export const canJoin = (state: State, channel: KnownChannel): boolean =>
  channel.membership !== "subscribed" && !channel.row.is_archived && canReadChannel(state, channel);

export const canAdministerChannel = (state: State, channel: KnownChannel): boolean =>
  roleOf(state) !== GUEST && rules.canAdminister(requesterFor(state, channel));

export const canAddTo = (state: State, channel: KnownChannel): boolean =>
  roleOf(state) !== GUEST &&
  !channel.row.is_archived &&
  canReadChannel(state, channel) &&
  rules.canAddSubscribers(requesterFor(state, channel));

export const canRemoveFrom = (state: State, channel: KnownChannel): boolean =>
  rules.canRemoveSubscribers(requesterFor(state, channel));

export const canCreateKind = (state: State, kind: Privacy): boolean =>
  roleOf(state) !== GUEST && rules.canCreate(inRealm(state), kind) && isPrivacyAllowed(state, kind);

/** Web-public channels require that the server and the organization allow them. */
export function isPrivacyAllowed({ organization }: State, kind: Privacy): boolean {
  const { fields } = organization;
  if (!kind.is_web_public) return true;
  return (
    fields["server_web_public_streams_enabled"] === true &&
    fields["realm_enable_spectator_access"] === true
  );
}

export const canCreateChannels = (state: State): boolean =>
  KINDS.some(({ kind }) => canCreateKind(state, kind));

export const canAddAtCreation = (state: State): boolean =>
  isAdministrator(state) || can(state, "can_add_subscribers_group");

export const canSetTopics = (state: State): boolean => rules.canSetTopicsPolicy(inRealm(state));
export const canSetDeleting = (state: State): boolean => rules.canSetDeletePolicy(inRealm(state));

export const kindNamed = (name: KindName) =>
  findOrThrow(KINDS, (candidate) => candidate.name === name);

/** Combinations of the settings for visibility and history. */
export const KINDS = [
  {
    name: "public",
    icon: "hash",
    kind: { invite_only: false, is_web_public: false, history_public_to_subscribers: true },
  },
  {
    name: "shared",
    icon: "lock",
    kind: { invite_only: true, is_web_public: false, history_public_to_subscribers: true },
  },
  {
    name: "protected",
    icon: "eyeoff",
    kind: { invite_only: true, is_web_public: false, history_public_to_subscribers: false },
  },
  {
    name: "web",
    icon: "globe",
    kind: { invite_only: false, is_web_public: true, history_public_to_subscribers: true },
  },
] as const;
export type KindName = (typeof KINDS)[number]["name"];

export function kindOf(row: Pick<Channel, keyof Privacy>): (typeof KINDS)[number] {
  if (row.is_web_public) return KINDS[3];
  if (!row.invite_only) return KINDS[0];
  return row.history_public_to_subscribers ? KINDS[1] : KINDS[2];
}
