// The initial state of a spectator: web-public channels and the users who post there.
import type { Realm } from "../../realm.ts";
import { webSubscriptionsSnapshot } from "../channels/snapshot.ts";
import { webFoldersSnapshot } from "../folders/wire.ts";
import { systemGroupsSnapshot } from "../groups/wire.ts";
import { webRealmSnapshot } from "../organization/wire.ts";
import { usersSnapshot } from "../people/snapshot.ts";
import { FIELD_TYPES } from "../profile/rules.ts";
import { SPECTATOR } from "../rights/rules.ts";
import { firstSettings, userSettingsSnapshot } from "../settings/wire.ts";
import type { SnapshotOptions } from "./rules.ts";

/** A part of the snapshot that does not depend on a user. */
export type SpectatorPart = (realm: Realm, options: SnapshotOptions) => Record<string, unknown>;

export const fixed =
  (fields: Record<string, unknown>): SpectatorPart =>
  () =>
    fields;

/** Replaces every part of the snapshot that depends on the user. */
export const spectatorsParts = {
  alert_words: fixed({ alert_words: [] }),
  channel_folders: ({ read }) => webFoldersSnapshot(read),
  custom_profile_fields: fixed({
    custom_profile_fields: [],
    custom_profile_field_types: FIELD_TYPES,
  }),
  default_stream_groups: fixed({ realm_default_stream_groups: [] }),
  default_streams: fixed({ realm_default_streams: [] }),
  device: fixed({ devices: {} }),
  drafts: fixed({ drafts: [] }),
  message: fixed({ max_message_id: -1 }),
  muted_topics: fixed({ muted_topics: [] }),
  muted_users: fixed({ muted_users: [] }),
  navigation_views: fixed({ navigation_views: [] }),
  onboarding_steps: fixed({ onboarding_steps: [], navigation_tour_video_url: null }),
  presence: ({ clock }) => ({
    presences: {},
    presence_last_update_id: -1,
    server_timestamp: clock.now() / 1000,
  }),
  realm: webRealmSnapshot,
  realm_bot: fixed({ realm_bots: [] }),
  realm_domains: fixed({ realm_domains: [] }),
  realm_user: ({ read }, options) => usersSnapshot(read, SPECTATOR, options),
  realm_user_groups: ({ read }) => systemGroupsSnapshot(read),
  recent_private_conversations: fixed({ recent_private_conversations: [] }),
  reminders: fixed({ reminders: [] }),
  saved_snippets: fixed({ saved_snippets: [] }),
  scheduled_messages: fixed({ scheduled_messages: [] }),
  skein_sidebar_order: fixed({}),
  starred_messages: fixed({ starred_messages: [] }),
  stream: fixed({}),
  subscription: ({ read }, options) => webSubscriptionsSnapshot(read, options),
  user_settings: ({ read }) => userSettingsSnapshot(read, { settings: firstSettings(read) }),
  user_status: fixed({ user_status: {} }),
  user_topic: fixed({ user_topics: [] }),
} satisfies Record<string, SpectatorPart>;

export const NOTHING_UNREAD = {
  unread_msgs: {
    count: 0,
    pms: [],
    streams: [],
    huddles: [],
    mentions: [],
    old_unreads_missing: false,
  },
};
