// Permissions of a channel, each with a sentence.
import {
  ABOUT_DELETING,
  CHANNEL_PERMISSIONS,
  type ChannelPermission,
} from "../../../../features/rights/permission-rules.ts";
import { t, type TextKey } from "../../../words/words.ts";
import type { GroupSetting } from "../../groups/state.ts";
import { Permission } from "../../picker/permission.tsx";

/** The most important permissions are visible, the others expandable. */
export const FIRST_PERMISSIONS: readonly ChannelPermission[] = [
  "can_send_message_group",
  "can_create_topic_group",
  "can_administer_channel_group",
];
export const FURTHER_PERMISSIONS: readonly ChannelPermission[] = [
  "can_add_subscribers_group",
  "can_remove_subscribers_group",
  "can_subscribe_group",
  "can_resolve_topics_group",
  "can_move_messages_within_channel_group",
  "can_move_messages_out_of_channel_group",
  "can_delete_any_message_group",
  "can_delete_own_message_group",
];

/** Other reasons for which a user has the permission, besides the setting. */
const HINTS: Readonly<Partial<Record<ChannelPermission, TextKey>>> = {
  can_administer_channel_group: "hint-administrators",
  can_remove_subscribers_group: "hint-administrators",
  can_add_subscribers_group: "hint-channel-administrators",
  can_subscribe_group: "hint-private-only",
  can_resolve_topics_group: "hint-organization-permission",
  can_move_messages_within_channel_group: "hint-organization-permission",
  can_move_messages_out_of_channel_group: "hint-organization-permission",
  can_delete_any_message_group: "hint-organization-permission",
  can_delete_own_message_group: "hint-organization-permission",
};

interface PermissionsProps {
  name: ChannelPermission;
  value: GroupSetting;
  isProtected: boolean;
  canChange: boolean;
  /** Whether the user may change permissions about deletion. */
  canSetDeleting: boolean;
  error: string | undefined;
  onChange: (value: GroupSetting) => void;
}

export function ChannelPermissionField(rights: PermissionsProps) {
  const { name, value, isProtected, canChange, canSetDeleting, error, onChange } = rights;
  const short = name.replace(/_group$/, "");
  const isFixed = isProtected && name === "can_create_topic_group";
  const isDenied = ABOUT_DELETING.includes(name) && !canSetDeleting;
  const hint = HINTS[name];
  return (
    <Permission
      label={t(`channel-permission-${short}` as TextKey)}
      action={t(`channel-action-${name}`)}
      allowed={CHANNEL_PERMISSIONS[name]}
      value={value}
      onChange={onChange}
      disabled={!canChange || isFixed || isDenied}
      hint={
        isFixed && canChange
          ? t("topics-open-where-protected")
          : isDenied && canChange
            ? t("delete-policy-not-allowed")
            : hint && t(hint)
      }
      error={error}
    />
  );
}
