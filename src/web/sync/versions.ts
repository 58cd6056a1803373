// The client version that wrote cached data; data of other versions is not read.
import type { EventType } from "../../contract/events.ts";
import type { registerQueue } from "../../features/register/register.ts";
import type { ParamsOf } from "../api/call.ts";

/** Increased when the meaning of cached data changes. */
const KEPT_VERSION = 1;

const IDLE_SECONDS = 43_200;
const PRESENCE_DAYS = 14;

/** All event types except duplicates of others and those that no view uses. */
const EVENT_TYPES: readonly EventType[] = [
  "alert_words",
  "attachment",
  "channel_folder",
  "custom_profile_fields",
  "default_stream_groups",
  "default_streams",
  "delete_message",
  "device",
  "drafts",
  "heartbeat",
  "invites_changed",
  "message",
  "muted_users",
  "navigation_view",
  "onboarding_steps",
  "presence",
  "reaction",
  "realm",
  "realm_bot",
  "realm_domains",
  "realm_emoji",
  "realm_export",
  "realm_export_consent",
  "realm_linkifiers",
  "realm_playgrounds",
  "realm_user",
  "realm_user_settings_defaults",
  "reminders",
  "restart",
  "saved_snippets",
  "scheduled_messages",
  "skein_pins",
  "skein_sidebar_order",
  "skein_topic_notes",
  "stream",
  "submessage",
  "subscription",
  "typing",
  "typing_edit_message",
  "update_message",
  "update_message_flags",
  "user_group",
  "user_settings",
  "user_status",
  "user_topic",
];

/** Parts of the initial state whose names differ from those of their events. */
const FETCH_EVENT_TYPES = [
  "channel_folders",
  "navigation_views",
  "realm_embedded_bots",
  "realm_incoming_webhook_bots",
  "realm_user_groups",
  "recent_private_conversations",
  "starred_messages",
  "video_calls",
  "zulip_version",
];

/** Capabilities of the client, and the events that it requests. */
export const REGISTER: ParamsOf<typeof registerQueue> = {
  apply_markdown: true,
  client_gravatar: false,
  slim_presence: true,
  include_subscribers: "partial",
  presence_history_limit_days: PRESENCE_DAYS,
  event_types: [...EVENT_TYPES],
  fetch_event_types: [...EVENT_TYPES, ...FETCH_EVENT_TYPES],
  idle_queue_timeout: String(IDLE_SECONDS),
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
    stream_typing_notifications: true,
    user_settings_object: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
    include_deactivated_groups: true,
    archived_channels: true,
    empty_topic_name: true,
    simplified_presence_events: true,
    individual_emoji_changes: true,
    skein_pins: true,
    skein_sidebar_order: true,
    skein_topic_notes: true,
  },
};

export interface VersionStamp {
  readonly kept_version: number;
  /** The requested events. A client that needs others registers again. */
  readonly registered: string;
}

export const stamp: VersionStamp = {
  kept_version: KEPT_VERSION,
  registered: JSON.stringify(REGISTER),
};

export function isOfThisVersion({ kept_version, registered }: VersionStamp): boolean {
  return kept_version === stamp.kept_version && registered === stamp.registered;
}
