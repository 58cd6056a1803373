// Chooses who has a permission: users and groups, with a sentence that explains it.
import { useId } from "preact/hooks";
import { subscribe, getState } from "../../store/store.ts";
import { t, type TextKey } from "../../words/words.ts";
import {
  type Permission as Allowed,
  REALM_PERMISSIONS,
} from "../../../features/rights/permission-rules.ts";
import { groupName } from "../groups/name-selectors.ts";
import { partsOf, settingAudience, settingOf } from "../groups/audience-selectors.ts";
import type { GroupSetting } from "../groups/state.ts";
import { personOf } from "../people/state.ts";
import type { Picked } from "./selectors.ts";
import { Picker } from "./picker.tsx";

interface PermissionProps {
  /** Id of the field, for links to it. */
  id?: string;
  label: string;
  /** The permitted action, as in "may …": "write here". */
  action: string;
  allowed: Allowed;
  value: GroupSetting;
  onChange: (value: GroupSetting) => void;
  disabled?: boolean;
  /** Others who have the permission, or the reason why it cannot be changed. */
  hint?: string | undefined;
  /** Replaces the sentence and the hint if nobody is chosen. */
  nobody?: string | undefined;
  /** Why the server rejected the value. */
  error?: string | undefined;
}

export function Permission(props: PermissionProps) {
  subscribe("groups", "users");
  const { label, action, allowed, value, onChange, disabled = false, hint, nobody, error } = props;
  const id = useId();
  const picked = pickedOf(value);
  const isNobody = nobody !== undefined && picked.length === 0;
  return (
    <div class="permission">
      <Picker
        {...(props.id !== undefined && { id: props.id })}
        label={label}
        picked={picked}
        kinds={allowed.require_system_group ? ["group"] : ["group", "person"]}
        canBePicked={(pick) => canHold(allowed, pick)}
        disabled={disabled}
        describedBy={id}
        isWrong={error !== undefined}
        placeholder={t("nobody")}
        onChange={(picked) => onChange(valueOf(picked, allowed))}
      />
      <p class="hint" id={id} role={error === undefined ? undefined : "alert"}>
        {error !== undefined && <strong class="wrong">{error} </strong>}
        {isNobody ? nobody : sentence(value, action, allowed.allow_everyone_group)}
        {hint !== undefined && !isNobody && ` ${hint}`}
      </p>
    </div>
  );
}

/** The group "nobody" is displayed as an empty choice. */
function pickedOf(value: GroupSetting): Picked[] {
  const { direct_members, direct_subgroups } = partsOf(value);
  const { groups } = getState().groups;
  return [
    ...direct_subgroups
      .filter((id) => groups.get(id)?.name !== "role:nobody")
      .map((id): Picked => ({ kind: "group", id })),
    ...direct_members.map((id): Picked => ({ kind: "person", id })),
  ];
}

function valueOf(picked: readonly Picked[], allowed: Allowed): GroupSetting {
  // If a single role is required, the last choice counts.
  const allowedPicks = allowed.require_system_group ? picked.slice(-1) : picked;
  const ids = (kind: Picked["kind"]) =>
    allowedPicks.filter((pick) => pick.kind === kind).map((pick) => pick.id);
  return settingOf(getState(), ids("person"), ids("group"));
}

function canHold(allowed: Allowed, { kind, id }: Picked): boolean {
  if (kind !== "group") return true;
  const group = getState().groups.groups.get(id);
  if (!group) return false;
  const { name, is_system_group } = group;
  if (!is_system_group) return !allowed.require_system_group;
  // An empty field means that no one has the permission.
  if (name === "role:nobody" || name === "role:internet") return false;
  if (name === "role:everyone" && !allowed.allow_everyone_group) return false;
  const { allowed_system_groups: only } = allowed;
  return only.length === 0 || only.some((role) => role === name);
}

/** Explains to a user without a permission of the organization who has it. */
export function holdersText(name: ExplainedPermission): string {
  subscribe(`realm:${name}`);
  const value = getState().organization.fields[`realm_${name}`];
  if (value === undefined) throw new Error(`The snapshot has no realm_${name}.`);
  return sentence(value, t(`org-action-${name}`), REALM_PERMISSIONS[name].allow_everyone_group);
}

type ExplainedPermission =
  | "can_add_custom_emoji_group"
  | "can_create_bots_group"
  | "can_create_groups"
  | "can_create_private_channel_group"
  | "can_create_public_channel_group"
  | "can_invite_users_group"
  | "create_multiuse_invite_group";

/** The action that the user cannot do, and the users who can. */
export function Denied({ textKey, to }: { textKey: TextKey; to: readonly ExplainedPermission[] }) {
  return (
    <>
      <p class="intro">{t(textKey)}</p>
      {to.map((name) => (
        <p key={name} class="hint">
          {holdersText(name)}
        </p>
      ))}
    </>
  );
}

export function sentence(value: GroupSetting, action: string, hasGuests: boolean): string {
  const state = getState();
  const { people, throughGroups: through, direct } = settingAudience(state, value, hasGuests);
  if (people.size === 0) return t("nobody-can", { action });
  const [only] = through;
  if (only?.group.is_system_group && through.length === 1 && direct.length === 0) {
    return t("role-can", { who: groupName(only.group), action, count: people.size });
  }
  const descriptions = [
    ...through.map(({ group, count }) => t("members-via-group", { count, name: groupName(group) })),
    ...direct.map((id) => personOf(state.people, id)?.full_name ?? t("unknown-user")),
  ];
  const list = new Intl.ListFormat(document.documentElement.lang || "en").format(descriptions);
  return t("people-can", { count: people.size, action, list });
}
