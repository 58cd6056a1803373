// Events about changed permissions of the organization.
import type { PlainEvent } from "../../contract/events.ts";
import type { GroupSetting } from "../../schema/records.ts";
import type { RealmPermission } from "./permission-rules.ts";

export const permissionChanged = (name: RealmPermission, value: GroupSetting) =>
  settingsTogether({ [name]: value });

export const settingsTogether = (data: Record<string, unknown>): PlainEvent => ({
  type: "realm",
  op: "update_dict",
  property: "default",
  data,
});
