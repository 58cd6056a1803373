// Changing the organization: one setting after the other, each with its refusal and way back.
import {
  REALM_PERMISSIONS,
  type RealmPermission,
} from "../../../../features/rights/permission-rules.ts";
import { changeRealm } from "../../../api/organization-calls.ts";
import { sync } from "../../../here.ts";
import { now } from "../../../live.ts";
import type { GroupSetting } from "../../groups/state.ts";
import { Choices } from "./choices.ts";
import type { OrganizationSetting } from "./kinds.ts";

export const fieldOf = (name: OrganizationSetting): unknown =>
  now().organization.fields[`realm_${name}`];

const choices = new Choices<OrganizationSetting>(fieldOf);
export const { saved, refusals } = choices;

/** The value as the user sees it. */
export const shownOf = (name: OrganizationSetting): unknown => choices.shownOf(name);

/** Says whether it was done. */
export function change(name: OrganizationSetting, value: unknown): Promise<boolean> {
  return choose(name, value, () => onWire(name, value));
}

/** Refused where it is not any more what one saw. */
export function changePermission(name: RealmPermission, value: GroupSetting, old: GroupSetting) {
  return choose(name, value, () => ({ new: value, old }));
}

function choose(name: OrganizationSetting, value: unknown, wire: () => unknown): Promise<boolean> {
  return choices.choose(name, value, {
    ask: () => changeRealm(sync, { [name]: wire() }),
    foretold: { type: "realm", op: "update_dict", property: "default", data: { [name]: value } },
  });
}

export function undo(): Promise<void> {
  return choices.undo((name, before) =>
    name in REALM_PERMISSIONS
      ? changePermission(
          name as RealmPermission,
          before as GroupSetting,
          fieldOf(name) as GroupSetting,
        )
      : change(name, before),
  );
}

/** How a request writes what the state holds: no limit and no address have words of their own. */
function onWire(name: OrganizationSetting, value: unknown): unknown {
  if (name === "jitsi_server_url") {
    return value === null || value === "" ? '"default"' : JSON.stringify(value);
  }
  if (name === "message_retention_days" && value === -1) return "unlimited";
  if (value === null) return "unlimited";
  return value;
}
