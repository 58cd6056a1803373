// Every setting whose value is a group: its allowed values and its default.

export const SYSTEM_GROUPS = [
  "role:nobody",
  "role:owners",
  "role:administrators",
  "role:moderators",
  "role:fullmembers",
  "role:members",
  "role:everyone",
  "role:internet",
] as const;
export type SystemGroup = (typeof SYSTEM_GROUPS)[number];

/** `channel_creator` and `group_creator` stand for the user who creates the channel or group. */
export interface Permission {
  readonly default_group_name: SystemGroup | "channel_creator" | "group_creator";
  readonly allow_nobody_group: boolean;
  /** If false, guests never have the permission, whatever the group contains. */
  readonly allow_everyone_group: boolean;
  readonly require_system_group: boolean;
  readonly allowed_system_groups: readonly SystemGroup[];
  /** For a group's own settings: the default in system groups. */
  readonly default_for_system_groups?: SystemGroup;
}

type Default = Permission["default_group_name"];

const permission = (
  default_group_name: Default,
  nobody: boolean,
  everyone: boolean,
  only: readonly SystemGroup[] = [],
): Permission => ({
  default_group_name,
  allow_nobody_group: nobody,
  allow_everyone_group: everyone,
  require_system_group: only.length > 0,
  allowed_system_groups: only,
});

const ofGroup = (default_group_name: Default, everyone: boolean): Permission => ({
  ...permission(default_group_name, true, everyone),
  default_for_system_groups: "role:nobody",
});

export const REALM_PERMISSIONS = {
  create_multiuse_invite_group: permission("role:administrators", true, false),
  can_access_all_users_group: permission("role:everyone", false, true, [
    "role:everyone",
    "role:members",
  ]),
  can_add_custom_emoji_group: permission("role:members", true, false),
  can_add_subscribers_group: permission("role:members", true, false),
  can_create_bots_group: permission("role:members", true, false),
  can_create_groups: permission("role:members", true, false),
  can_create_private_channel_group: permission("role:members", true, false),
  can_create_public_channel_group: permission("role:members", true, false),
  can_create_web_public_channel_group: permission("role:owners", true, false, [
    "role:moderators",
    "role:administrators",
    "role:owners",
    "role:nobody",
  ]),
  can_create_write_only_bots_group: permission("role:members", true, false),
  can_delete_any_message_group: permission("role:administrators", true, false),
  can_delete_own_message_group: permission("role:everyone", true, true),
  can_invite_users_group: permission("role:members", true, false),
  can_manage_all_groups: permission("role:owners", false, false),
  can_manage_billing_group: permission("role:administrators", false, false),
  can_mention_many_users_group: permission("role:administrators", true, true),
  can_move_messages_between_channels_group: permission("role:members", true, false),
  can_move_messages_between_topics_group: permission("role:everyone", true, true),
  can_resolve_topics_group: permission("role:everyone", true, true),
  can_set_delete_message_policy_group: permission("role:moderators", true, false),
  can_set_topics_policy_group: permission("role:members", true, true),
  can_summarize_topics_group: permission("role:everyone", true, true),
  direct_message_initiator_group: permission("role:everyone", true, true),
  direct_message_permission_group: permission("role:everyone", true, true),
  workplace_users_group: permission("role:everyone", true, true),
} as const satisfies Record<string, Permission>;

export const CHANNEL_PERMISSIONS = {
  can_add_subscribers_group: permission("role:nobody", true, false),
  can_administer_channel_group: permission("channel_creator", true, false),
  can_create_topic_group: permission("role:everyone", true, true),
  can_delete_any_message_group: permission("role:nobody", true, true),
  can_delete_own_message_group: permission("role:nobody", true, true),
  can_move_messages_out_of_channel_group: permission("role:nobody", true, true),
  can_move_messages_within_channel_group: permission("role:nobody", true, true),
  can_remove_subscribers_group: permission("role:administrators", true, true),
  can_resolve_topics_group: permission("role:nobody", true, true),
  can_send_message_group: permission("role:everyone", true, true),
  can_subscribe_group: permission("role:nobody", true, false),
} as const satisfies Record<string, Permission>;

export const GROUP_PERMISSIONS = {
  can_add_members_group: ofGroup("group_creator", false),
  can_join_group: ofGroup("role:nobody", false),
  can_leave_group: ofGroup("role:everyone", true),
  can_manage_group: ofGroup("group_creator", false),
  can_mention_group: {
    ...ofGroup("role:everyone", true),
    allowed_system_groups: [
      "role:nobody",
      "role:administrators",
      "role:moderators",
      "role:fullmembers",
      "role:members",
      "role:everyone",
    ],
  },
  can_remove_members_group: ofGroup("role:nobody", false),
} as const satisfies Record<string, Permission>;

export type RealmPermission = keyof typeof REALM_PERMISSIONS;
export type ChannelPermission = keyof typeof CHANNEL_PERMISSIONS;
export type GroupPermission = keyof typeof GROUP_PERMISSIONS;

/** Channel settings that can be changed only with permission of the organization. */
export const ABOUT_DELETING: readonly ChannelPermission[] = [
  "can_delete_any_message_group",
  "can_delete_own_message_group",
];
