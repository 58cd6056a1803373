// Changes settings of the organization one at a time, with error messages and undo.
import {
  REALM_PERMISSIONS,
  type RealmPermission,
} from "../../../../features/rights/permission-rules.ts";
import { changeRealm } from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { getState } from "../../../store/store.ts";
import type { GroupSetting } from "../../groups/state.ts";
import { Choices } from "./choice-actions.ts";
import type { OrganizationSetting } from "../state.ts";

const fieldOf = (name: OrganizationSetting): unknown =>
  getState().organization.fields[`realm_${name}`];
const isPermission = (name: OrganizationSetting): name is RealmPermission =>
  name in REALM_PERMISSIONS;

/** The current group-setting value of a permission. */
function holdersOf(name: RealmPermission): GroupSetting {
  const setting = getState().organization.fields[`realm_${name}`];
  if (setting === undefined) throw new Error(`The snapshot has no realm_${name}.`);
  return setting;
}

const choices = new Choices<OrganizationSetting>(fieldOf);
export const { saved, refusals } = choices;

/** The value as the user sees it. */
export const shownOf = (name: OrganizationSetting): unknown => choices.shownOf(name);

/** Resolves to whether the change succeeded. */
export function changeOrganizationSetting(
  name: OrganizationSetting,
  value: unknown,
): Promise<boolean> {
  return choose(name, value, () => toWireValue(name, value));
}

/** Rejected if the value has changed since it was displayed. */
export function changePermission(name: RealmPermission, value: GroupSetting, old: GroupSetting) {
  return choose(name, value, () => ({ new: value, old }));
}

function choose(name: OrganizationSetting, value: unknown, wire: () => unknown): Promise<boolean> {
  return choices.choose(name, value, {
    ask: () => changeRealm(sync, { [name]: wire() }),
    localEvent: { type: "realm", op: "update_dict", property: "default", data: { [name]: value } },
  });
}

export function undo(): Promise<void> {
  return choices.undo((name, before) =>
    isPermission(name)
      ? changePermission(name, before as GroupSetting, holdersOf(name))
      : changeOrganizationSetting(name, before),
  );
}

/**
 * Converts a value to the form of requests, where "unlimited" and "no channel" are special values.
 */
function toWireValue(name: OrganizationSetting, value: unknown): unknown {
  if (name === "jitsi_server_url") {
    return value === null || value === "" ? '"default"' : JSON.stringify(value);
  }
  if (name === "message_retention_days" && value === -1) return "unlimited";
  if (value === null) return "unlimited";
  return value;
}
