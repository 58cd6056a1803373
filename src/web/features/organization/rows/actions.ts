// Changing the organization: one setting after the other, each with its refusal and way back.
import { signal } from "@preact/signals";
import {
  REALM_PERMISSIONS,
  type RealmPermission,
} from "../../../../features/rights/permission-rules.ts";
import { changeRealm } from "../../../api/organization-calls.ts";
import { sync } from "../../../here.ts";
import { now } from "../../../live.ts";
import { refusalOf } from "../../../ui/saving.ts";
import type { GroupSetting } from "../../groups/state.ts";
import type { OrganizationSetting } from "./kinds.ts";
import { seenOnce } from "./seen-once.ts";

/** What was changed last, and what it was before. */
export const saved = signal<{ name: OrganizationSetting; before: unknown } | undefined>(undefined);
/** Why the server would not have it, by the setting's name. */
export const refusals = signal<Readonly<Record<string, string>>>({});
/** What is on its way to the server. */
const asked = signal<Readonly<Record<string, unknown>>>({});

export const fieldOf = (name: OrganizationSetting): unknown =>
  now().organization.fields[`realm_${name}`];

/** As the person sees it: what was chosen counts at once. */
export const shownOf = (name: OrganizationSetting): unknown =>
  name in asked.value ? asked.value[name] : fieldOf(name);

let last: Promise<unknown> = Promise.resolve();

/** Says whether it was done. */
export function change(name: OrganizationSetting, value: unknown): Promise<boolean> {
  return next(name, value, () => onWire(name, value));
}

/** Refused where it is not any more what one saw. */
export function changePermission(name: RealmPermission, value: GroupSetting, old: GroupSetting) {
  return next(name, value, () => ({ new: value, old }));
}

function next(name: OrganizationSetting, value: unknown, wire: () => unknown): Promise<boolean> {
  asked.value = { ...asked.value, [name]: value };
  saved.value = undefined;
  const done = last.then(() => send(name, value, wire()));
  last = done;
  return done;
}

async function send(name: OrganizationSetting, value: unknown, wire: unknown): Promise<boolean> {
  const before = fieldOf(name);
  try {
    await seenOnce(changeRealm(sync, { [name]: wire }), [
      { type: "realm", op: "update_dict", property: "default", data: { [name]: value } },
    ]);
    refusals.value = without(refusals.value, name);
    saved.value = { name, before };
    return true;
  } catch (error) {
    refusals.value = { ...refusals.value, [name]: refusalOf(error) };
    return false;
  } finally {
    if (asked.value[name] === value) asked.value = without(asked.value, name);
  }
}

/** Takes back what was changed last; that cannot be taken back again. */
export async function undo(): Promise<void> {
  const { name, before } = saved.value ?? {};
  if (name === undefined) return;
  const isRight = name in REALM_PERMISSIONS;
  const done = isRight
    ? changePermission(
        name as RealmPermission,
        before as GroupSetting,
        fieldOf(name) as GroupSetting,
      )
    : change(name, before);
  if (await done) saved.value = undefined;
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

function without<T>(all: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> {
  const { [name]: _gone, ...others } = all;
  return others;
}
