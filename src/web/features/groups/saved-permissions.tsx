// Permissions of a group, each with a sentence.
import {
  GROUP_PERMISSIONS,
  type GroupPermission,
} from "../../../features/rights/permission-rules.ts";
import { getState } from "../../store/store.ts";
import { t } from "../../words/words.ts";
import { Permission } from "../picker/permission.tsx";
import { settingOf, systemGroup } from "./audience-selectors.ts";
import type { GroupSetting } from "./state.ts";

export const RIGHTS = [
  "can_manage_group",
  "can_mention_group",
  "can_add_members_group",
  "can_remove_members_group",
  "can_join_group",
  "can_leave_group",
] as const satisfies readonly GroupPermission[];

interface GroupPermissionFieldProps {
  name: GroupPermission;
  value: GroupSetting;
  canChange: boolean;
  error: string | undefined;
  onChange: (value: GroupSetting) => void;
}

export function GroupPermissionField({
  name,
  value,
  canChange,
  error,
  onChange,
}: GroupPermissionFieldProps) {
  const action = t(`group-action-${name}`);
  return (
    <Permission
      label={t(`group-${name}`)}
      action={action}
      allowed={GROUP_PERMISSIONS[name]}
      value={value}
      onChange={onChange}
      disabled={!canChange}
      {...managersToo(name, action)}
      error={error}
    />
  );
}

/** People who can manage a group have its other permissions, too, except the one to mention it. */
function managersToo(name: GroupPermission, action: string) {
  if (name === "can_mention_group") return {};
  if (name === "can_manage_group") return { hint: t("group-hint-all-managers") };
  return { hint: t("group-hint-managers"), nobody: t("group-only-manager", { action }) };
}

/** Default of a setting in a new group. */
export function initialGroupPermission(name: GroupPermission): GroupSetting {
  const state = getState();
  const { default_group_name: group } = GROUP_PERMISSIONS[name];
  if (group === "group_creator") return settingOf(state, [state.people.me], []);
  return systemGroup(state, group).id;
}
