// The initial state of a client: the fields for each requested event type.
import { CAN } from "../../contract/events.ts";
import { FEATURE_LEVEL, inBothSpellings, PROTOCOL_VERSION } from "../../contract/names.ts";
import type { Realm } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { alertWordsSnapshot } from "../alert-words/wire.ts";
import {
  defaultGroupsSnapshot,
  defaultStreamsSnapshot,
  streamsSnapshot,
  subscriptionsSnapshot,
} from "../channels/snapshot.ts";
import { devicesSnapshot } from "../devices/wire.ts";
import { draftsSnapshot } from "../drafts/wire.ts";
import { customEmoji } from "../emoji/wire.ts";
import { foldersSnapshot } from "../folders/wire.ts";
import { userGroupsSnapshot } from "../groups/wire.ts";
import { linkifiersSnapshot } from "../linkifiers/wire.ts";
import {
  maxMessageIdSnapshot,
  recentConversationsSnapshot,
  starredSnapshot,
  unreadSnapshot,
} from "../messages/unread/snapshot.ts";
import { mutedUsersSnapshot } from "../mutes/wire.ts";
import { sidebarOrderOf } from "../navigation/sidebar-wire.ts";
import { onboardingSnapshot, viewsSnapshot } from "../navigation/wire.ts";
import { realmDomainsSnapshot } from "../organization/domain-events.ts";
import * as realm from "../organization/wire.ts";
import { realmBotsSnapshot, usersSnapshot } from "../people/snapshot.ts";
import { playgroundsSnapshot } from "../playgrounds/wire.ts";
import { recentlyActive } from "../presence/recently-active.ts";
import { presenceSnapshot } from "../presence/snapshot.ts";
import { profileFieldsSnapshot } from "../profile/wire.ts";
import { remindersSnapshot } from "../reminders/wire.ts";
import { SPECTATOR, type Viewer } from "../rights/rules.ts";
import { scheduledSnapshot } from "../scheduled/wire.ts";
import { userSettingsDefaultsSnapshot, userSettingsSnapshot } from "../settings/wire.ts";
import { snippetsSnapshot } from "../snippets/wire.ts";
import { userStatusSnapshot } from "../status/snapshot.ts";
import { mutedTopicsSnapshot } from "../topics/muted.ts";
import { userTopicsSnapshot } from "../topics/wire.ts";
import { incomingWebhooks } from "../webhooks/wire.ts";
import type { SnapshotOptions } from "./rules.ts";
import { fixed, NOTHING_UNREAD, type SpectatorPart, spectatorsParts } from "./spectator.ts";

type Part = (realm: Realm, user: User, options: SnapshotOptions) => Record<string, unknown>;

/**
 * Parts that are the same for all users, by fetched type. Parts of features that do not exist are
 * empty.
 */
const SHARED: Readonly<Record<string, SpectatorPart>> = {
  giphy: fixed({ giphy_api_key: "" }),
  klipy: fixed({ klipy_api_key: "" }),
  realm_billing: fixed({ realm_billing: { has_pending_sponsorship_request: false } }),
  realm_embedded_bots: fixed({ realm_embedded_bots: [] }),
  realm_emoji: ({ read }) => ({ realm_emoji: customEmoji(read) }),
  realm_filters: fixed({ realm_filters: [] }),
  realm_incoming_webhook_bots: fixed({ realm_incoming_webhook_bots: incomingWebhooks }),
  realm_linkifiers: ({ read }, { capabilities }) => linkifiersSnapshot(read, capabilities),
  realm_playgrounds: ({ read }) => playgroundsSnapshot(read),
  realm_user_settings_defaults: ({ read }) => userSettingsDefaultsSnapshot(read),
  stop_words: fixed({ stop_words: [] }),
  tenor: fixed({ tenor_api_key: "" }),
  update_message_flags: fixed({}),
  video_calls: fixed({ has_zoom_token: false, has_webex_token: false }),
  zulip_version: fixed({}),
};

/** The parts that depend on the user. */
const OWN = {
  alert_words: ({ read }, user) => alertWordsSnapshot(read, user),
  channel_folders: ({ read }) => foldersSnapshot(read),
  custom_profile_fields: ({ read }, _user, { capabilities }) =>
    profileFieldsSnapshot(read, capabilities),
  default_stream_groups: ({ read }, user) => defaultGroupsSnapshot(read, user),
  default_streams: ({ read }, user) => defaultStreamsSnapshot(read, user),
  device: ({ read }, user) => devicesSnapshot(read, user),
  drafts: ({ read }, user) => draftsSnapshot(read, user),
  message: ({ read }, user) => maxMessageIdSnapshot(read, user),
  muted_topics: ({ read }, user, options) => mutedTopicsSnapshot(read, user, options),
  muted_users: ({ read }, user) => mutedUsersSnapshot(read, user),
  navigation_views: ({ read }, user) => viewsSnapshot(read, user),
  onboarding_steps: ({ read }, user) => onboardingSnapshot(read, user),
  presence: presenceSnapshot,
  realm: realm.realmSnapshot,
  realm_bot: ({ read }, user) => realmBotsSnapshot(read, user),
  realm_domains: ({ read }) => realmDomainsSnapshot(read),
  realm_user: ({ read }, user, options) => usersSnapshot(read, user, options),
  realm_user_groups: ({ read }, _user, { capabilities }) =>
    userGroupsSnapshot(read, (capabilities & CAN.include_deactivated_groups) !== 0),
  recent_private_conversations: ({ read }, user) => recentConversationsSnapshot(read, user),
  reminders: ({ read }, user) => remindersSnapshot(read, user),
  saved_snippets: ({ read }, user) => snippetsSnapshot(read, user),
  scheduled_messages: ({ read }, user) => scheduledSnapshot(read, user),
  /** Only for clients that declare the capability. */
  skein_sidebar_order: ({ read }, user, { capabilities }) =>
    capabilities & CAN.skein_sidebar_order
      ? { skein_sidebar_order: sidebarOrderOf(read, user) }
      : {},
  starred_messages: ({ read }, user) => starredSnapshot(read, user),
  stream: ({ read }, user, options) => streamsSnapshot(read, user, options),
  subscription: (realm, user, options) =>
    subscriptionsSnapshot(realm.read, user, options, () => recentlyActive(realm)),
  user_settings: ({ read }, user) => userSettingsSnapshot(read, user),
  user_status: ({ read }, user) => userStatusSnapshot(read, user),
  user_topic: ({ read }, user, options) => userTopicsSnapshot(read, user, options),
} satisfies Record<string, Part>;

const SPECTATORS: Readonly<Record<keyof typeof OWN, SpectatorPart>> = spectatorsParts;

function partOf(viewer: Viewer, type: string): SpectatorPart | undefined {
  if (Object.hasOwn(SHARED, type)) return SHARED[type];
  if (!Object.hasOwn(OWN, type)) return undefined;
  const name = type as keyof typeof OWN;
  if (viewer === SPECTATOR) return SPECTATORS[name];
  const part: Part = OWN[name];
  return (realm, options) => part(realm, viewer, options);
}

const ALL = [...Object.keys(SHARED), ...Object.keys(OWN)];

/**
 * The fields of the register response without the queue; large lists are JsonText. `wanted`: null
 * for everything.
 */
export function snapshotOf(
  realm: Realm,
  viewer: Viewer,
  requestedTypes: readonly string[] | null,
  options: SnapshotOptions,
): Record<string, unknown> {
  const types = requestedTypes === null ? ALL : [...new Set(requestedTypes)];
  const snapshot: Record<string, unknown> = {
    zulip_version: PROTOCOL_VERSION,
    zulip_merge_base: PROTOCOL_VERSION,
    zulip_feature_level: FEATURE_LEVEL,
  };
  for (const type of types) {
    if (type === "muted_topics" && options.event_types?.includes("user_topic")) continue;
    Object.assign(snapshot, partOf(viewer, type)?.(realm, options));
  }
  if (types.includes("message") && types.includes("update_message_flags")) {
    const isOwn = viewer !== SPECTATOR;
    Object.assign(snapshot, isOwn ? unreadSnapshot(realm.read, viewer, options) : NOTHING_UNREAD);
  }
  return inBothSpellings(snapshot);
}
