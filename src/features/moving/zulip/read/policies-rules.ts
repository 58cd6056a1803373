// Maps settings of earlier Zulip versions to today's names and values.
import type {
  ChannelPermission,
  RealmPermission,
  SystemGroup,
} from "../../../rights/permission-rules.ts";

type Codes = Readonly<Record<number, SystemGroup>>;

const COMMON_CODES: Codes = {
  1: "role:members",
  2: "role:administrators",
  3: "role:fullmembers",
  4: "role:moderators",
  5: "role:everyone",
  6: "role:nobody",
  7: "role:owners",
};
const MENTION: Codes = {
  1: "role:everyone",
  2: "role:members",
  3: "role:fullmembers",
  4: "role:administrators",
  5: "role:administrators",
  6: "role:nobody",
  7: "role:moderators",
};
const BOTS: Codes = { 1: "role:members", 2: "role:administrators", 3: "role:administrators" };
const WRITE_ONLY_BOTS: Codes = { 1: "role:members", 2: "role:members", 3: "role:administrators" };
const DIRECT: Codes = { 1: "role:everyone", 2: "role:nobody" };
/** A boolean that limited an action to administrators; 1 means true. */
const ADMINS_ONLY: Codes = { 0: "role:members", 1: "role:administrators" };
const EVERYONE_OR_ADMINS: Codes = { 0: "role:administrators", 1: "role:everyone" };

/** For each permission, its columns in earlier versions, newest first. */
export const REALM_POLICIES: Partial<
  Record<RealmPermission, readonly (readonly [column: string, codes: Codes])[]>
> = {
  can_create_public_channel_group: [
    ["create_public_stream_policy", COMMON_CODES],
    ["create_stream_policy", COMMON_CODES],
    ["create_stream_by_admins_only", ADMINS_ONLY],
  ],
  can_create_private_channel_group: [
    ["create_private_stream_policy", COMMON_CODES],
    ["create_stream_policy", COMMON_CODES],
    ["create_stream_by_admins_only", ADMINS_ONLY],
  ],
  can_create_web_public_channel_group: [["create_web_public_stream_policy", COMMON_CODES]],
  can_add_subscribers_group: [["invite_to_stream_policy", COMMON_CODES]],
  can_invite_users_group: [
    ["invite_to_realm_policy", COMMON_CODES],
    ["invite_by_admins_only", ADMINS_ONLY],
  ],
  can_create_groups: [["user_group_edit_policy", COMMON_CODES]],
  can_add_custom_emoji_group: [
    ["add_custom_emoji_policy", COMMON_CODES],
    ["add_emoji_by_admins_only", ADMINS_ONLY],
  ],
  can_create_bots_group: [["bot_creation_policy", BOTS]],
  can_create_write_only_bots_group: [["bot_creation_policy", WRITE_ONLY_BOTS]],
  can_delete_own_message_group: [
    ["delete_own_message_policy", COMMON_CODES],
    ["allow_message_deleting", EVERYONE_OR_ADMINS],
  ],
  can_mention_many_users_group: [["wildcard_mention_policy", MENTION]],
  can_move_messages_between_channels_group: [
    ["move_messages_between_streams_policy", COMMON_CODES],
  ],
  can_move_messages_between_topics_group: [
    ["edit_topic_policy", COMMON_CODES],
    ["allow_community_topic_editing", EVERYONE_OR_ADMINS],
  ],
  direct_message_permission_group: [["private_message_policy", DIRECT]],
};

const POSTING: Codes = {
  1: "role:everyone",
  2: "role:administrators",
  3: "role:fullmembers",
  4: "role:moderators",
};

export const CHANNEL_POLICIES: Partial<
  Record<ChannelPermission, readonly (readonly [column: string, codes: Codes])[]>
> = {
  can_send_message_group: [
    ["stream_post_policy", POSTING],
    ["is_announcement_only", { 0: "role:everyone", 1: "role:administrators" }],
  ],
};

/** Earlier names of user settings. */
export const OLD_USER_SETTINGS: Readonly<Record<string, string>> = {
  default_view: "web_home_view",
  escape_navigates_to_default_view: "web_escape_navigates_to_home_view",
  enable_stream_sounds: "enable_stream_audible_notifications",
};

/** Earlier names of organization settings. */
export const OLD_REALM_SETTINGS: Readonly<Record<string, string>> = {
  giphy_rating: "gif_rating_policy",
  signup_notifications_stream: "signup_announcements_stream",
  notifications_stream: "new_stream_announcements_stream",
};
