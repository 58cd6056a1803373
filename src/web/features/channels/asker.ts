// The user and state with which the channel rules are evaluated.
import * as rules from "../../../features/channels/asker-rules.ts";
import type { Privacy } from "../../../features/channels/rules.ts";
import type { ChannelPermission } from "../../../features/rights/permission-rules.ts";
import type { State } from "../../state.ts";
import { may, mayIn, roleOf } from "../groups/may.ts";
import type { Channel, KnownChannel } from "./state.ts";

const GUEST = 600;
const ADMINISTRATOR = 200;
const OWNER = 100;

function before(state: State, { row, standing }: KnownChannel): rules.Asker {
  return {
    role: roleOf(state),
    isSubscribed: () => standing === "subscribed",
    may: (name) => may(state, name),
    mayHere: (name: ChannelPermission) => mayIn(state, row, name),
  };
}

const inRealm = (state: State) => ({
  role: roleOf(state),
  may: (name: Parameters<typeof may>[1]) => may(state, name),
});

export const isAdministrator = (state: State): boolean => roleOf(state) <= ADMINISTRATOR;
export const isOwner = (state: State): boolean => roleOf(state) <= OWNER;

export const mayReadChannel = (state: State, known: KnownChannel): boolean =>
  rules.mayRead(before(state, known), known.row);

/** Users who cannot read a channel cannot join it, including administrators. */
export const mayJoin = (state: State, known: KnownChannel): boolean =>
  known.standing !== "subscribed" && !known.row.is_archived && mayReadChannel(state, known);

export const mayAdministerChannel = (state: State, known: KnownChannel): boolean =>
  roleOf(state) !== GUEST && rules.mayAdminister(before(state, known));

export const mayAddTo = (state: State, known: KnownChannel): boolean =>
  roleOf(state) !== GUEST &&
  !known.row.is_archived &&
  mayReadChannel(state, known) &&
  rules.mayAddSubscribers(before(state, known));

export const mayRemoveFrom = (state: State, known: KnownChannel): boolean =>
  rules.mayRemoveSubscribers(before(state, known));

export const mayMakeKind = (state: State, kind: Privacy): boolean =>
  roleOf(state) !== GUEST && rules.mayMake(inRealm(state), kind) && isPossible(state, kind);

/** The web is open to channels where the server and the organization let it be. */
export function isPossible({ organization }: State, kind: Privacy): boolean {
  const { fields } = organization;
  if (!kind.is_web_public) return true;
  return (
    fields["server_web_public_streams_enabled"] === true &&
    fields["realm_enable_spectator_access"] === true
  );
}

export const mayMakeChannels = (state: State): boolean =>
  KINDS.some(({ kind }) => mayMakeKind(state, kind));

export const mayAddAtMaking = (state: State): boolean =>
  isAdministrator(state) || may(state, "can_add_subscribers_group");

export const maySetTopics = (state: State): boolean => rules.maySetTopicsPolicy(inRealm(state));
export const maySetDeleting = (state: State): boolean => rules.maySetDeletePolicy(inRealm(state));

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
