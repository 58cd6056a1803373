// Permissions in the organization, one row each.
import type { RealmPermission } from "../../../../features/rights/permission-rules.ts";
import { type OrganizationSection, permission } from "./kinds.ts";
import type { TextKey } from "../../../words/words.ts";

const permissionSection = (
  textKey: TextKey,
  ...names: readonly SupportedPermission[]
): OrganizationSection => ({
  textKey,
  rows: names.map((name) => ({ name, textKey: `org-permission-${name}`, control: permission })),
});

/** The permissions that this client supports. */
type SupportedPermission = Exclude<
  RealmPermission,
  "can_manage_billing_group" | "can_summarize_topics_group" | "workplace_users_group"
>;

/** The permitted action, as it follows "can": "invite people". */
export const permissionLabel = (name: string): TextKey =>
  `org-action-${name as SupportedPermission}`;

export const PERMISSIONS: readonly OrganizationSection[] = [
  permissionSection(
    "people",
    "can_invite_users_group",
    "create_multiuse_invite_group",
    "can_access_all_users_group",
  ),
  permissionSection(
    "channels",
    "can_create_public_channel_group",
    "can_create_private_channel_group",
    "can_create_web_public_channel_group",
    "can_add_subscribers_group",
  ),
  permissionSection("groups", "can_create_groups", "can_manage_all_groups"),
  permissionSection(
    "messages",
    "can_delete_own_message_group",
    "can_delete_any_message_group",
    "can_set_delete_message_policy_group",
    "can_mention_many_users_group",
  ),
  permissionSection(
    "topics",
    "can_resolve_topics_group",
    "can_move_messages_between_topics_group",
    "can_move_messages_between_channels_group",
    "can_set_topics_policy_group",
  ),
  permissionSection(
    "direct-messages",
    "direct_message_permission_group",
    "direct_message_initiator_group",
  ),
  permissionSection(
    "org-extras",
    "can_add_custom_emoji_group",
    "can_create_bots_group",
    "can_create_write_only_bots_group",
  ),
];
