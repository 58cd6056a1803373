// Chooses who has a permission: users and groups, with a sentence that explains it.
import { useId } from "preact/hooks";
import { keyed, now } from "../../live.ts";
import { say, type Word } from "../../words/words.ts";
import {
  type Permission as Allowed,
  REALM_PERMISSIONS,
} from "../../../features/rights/permission-rules.ts";
import { groupName } from "../groups/names.ts";
import { partsOf, reachOf, settingOf } from "../groups/reach.ts";
import type { GroupSetting } from "../groups/state.ts";
import { personOf } from "../people/state.ts";
import type { Picked } from "./candidates.ts";
import { Picker } from "./picker.tsx";

interface Shown {
  /** Id of the field, for links to it. */
  id?: string;
  label: string;
  /** The permitted action, as in "may …": "write here". */
  deed: string;
  allowed: Allowed;
  value: GroupSetting;
  onChange: (value: GroupSetting) => void;
  disabled?: boolean;
  /** Who else has the permission, or why it cannot be changed. */
  hint?: string | undefined;
  /** Why the server would not have it. */
  wrong?: string | undefined;
}

export function Permission(shown: Shown) {
  keyed("groups", "users");
  const { label, deed, allowed, value, onChange, disabled = false, hint, wrong } = shown;
  const id = useId();
  return (
    <div class="permission">
      <Picker
        {...(shown.id !== undefined && { id: shown.id })}
        label={label}
        picked={pickedOf(value)}
        kinds={allowed.require_system_group ? ["group"] : ["group", "person"]}
        mayBe={(one) => mayHold(allowed, one)}
        disabled={disabled}
        describedBy={id}
        isWrong={wrong !== undefined}
        placeholder={say("nobody")}
        onChange={(picked) => onChange(valueOf(picked, allowed))}
      />
      <p class="hint" id={id} role={wrong === undefined ? undefined : "alert"}>
        {wrong !== undefined && <strong class="wrong">{wrong} </strong>}
        {sentence(value, deed, allowed.allow_everyone_group)}
        {hint !== undefined && ` ${hint}`}
      </p>
    </div>
  );
}

/** Nobody is displayed as an empty choice. */
function pickedOf(value: GroupSetting): Picked[] {
  const { direct_members, direct_subgroups } = partsOf(value);
  const { groups } = now().groups;
  return [
    ...direct_subgroups
      .filter((id) => groups.get(id)?.name !== "role:nobody")
      .map((id): Picked => ({ kind: "group", id })),
    ...direct_members.map((id): Picked => ({ kind: "person", id })),
  ];
}

function valueOf(picked: readonly Picked[], allowed: Allowed): GroupSetting {
  // If a single role is required, the last choice counts.
  const chosen = allowed.require_system_group ? picked.slice(-1) : picked;
  const ids = (kind: Picked["kind"]) =>
    chosen.filter((one) => one.kind === kind).map((one) => one.id);
  return settingOf(now(), ids("person"), ids("group"));
}

function mayHold(allowed: Allowed, { kind, id }: Picked): boolean {
  if (kind !== "group") return true;
  const group = now().groups.groups.get(id);
  if (!group) return false;
  const { name, is_system_group } = group;
  if (!is_system_group) return !allowed.require_system_group;
  // An empty field says nobody.
  if (name === "role:nobody" || name === "role:internet") return false;
  if (name === "role:everyone" && !allowed.allow_everyone_group) return false;
  const { allowed_system_groups: only } = allowed;
  return only.length === 0 || (only as readonly string[]).includes(name);
}

/** Told to whom it is denied in the whole organization. */
export function whoMay(name: Told): string {
  keyed(`realm:${name}`);
  const value = now().organization.fields[`realm_${name}`] as GroupSetting;
  return sentence(value, say(`org-deed-${name}`), REALM_PERMISSIONS[name].allow_everyone_group);
}

type Told =
  | "can_add_custom_emoji_group"
  | "can_create_bots_group"
  | "can_create_groups"
  | "can_create_private_channel_group"
  | "can_create_public_channel_group"
  | "can_invite_users_group"
  | "create_multiuse_invite_group";

/** What the user may not do, and who may. */
export function Denied({ words, to }: { words: Word; to: readonly Told[] }) {
  return (
    <>
      <p class="intro">{say(words)}</p>
      {to.map((name) => (
        <p key={name} class="hint">
          {whoMay(name)}
        </p>
      ))}
    </>
  );
}

export function sentence(value: GroupSetting, deed: string, hasGuests: boolean): string {
  const state = now();
  const { people, through, direct } = reachOf(state, value, hasGuests);
  if (people.size === 0) return say("nobody-may", { deed });
  const [only] = through;
  if (only?.group.is_system_group && through.length === 1 && direct.length === 0) {
    return say("role-may", { who: groupName(only.group), deed, count: people.size });
  }
  const parts = [
    ...through.map(({ group, count }) => say("through", { count, name: groupName(group) })),
    ...direct.map((id) => personOf(state.people, id)?.full_name ?? say("unknown-user")),
  ];
  const list = new Intl.ListFormat(document.documentElement.lang || "en").format(parts);
  return say("people-may", { count: people.size, deed, list });
}
