// The members of a group: adds and removes users and subgroups, and shows indirect members.
import { useSignal } from "@preact/signals";
import { compareNames, matchesWords } from "../../matching.ts";
import { addressOf } from "../../store/address.ts";
import { subscribe, getState } from "../../store/store.ts";
import { showRefusal } from "../../sync/optimistic.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useSaving } from "../../ui/saving.ts";
import { SearchField } from "../../ui/form/search-field.tsx";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";
import { PersonLine } from "../people/person-line.tsx";
import { firstOf } from "../../content/item-at.ts";
import { personOf } from "../people/state.ts";
import type { Picked } from "../picker/selectors.ts";
import { AddForm, ADD_FIELD } from "../picker/add-form.tsx";
import { canChangeGroup } from "./editing-permissions.ts";
import { allMembers, changeGroup, type Member } from "./member-actions.ts";
import { subgroupsOf } from "./member-selectors.ts";
import { groupIcon, groupName } from "./name-selectors.ts";
import { canBeMember } from "./new.tsx";
import { settingAudience } from "./audience-selectors.ts";
import { groupView } from "./route-rules.ts";
import type { Group } from "./state.ts";

/** Further members are found by search. */
const MEMBERS_SHOWN_MAX = 50;

export function GroupMembers({ group }: { group: Group }) {
  subscribe("users", "groups", "realm");
  const text = useSignal("");
  const state = getState();
  const nameOf = (id: number) => personOf(state.people, id)?.full_name ?? "";
  const all = allMembers(state, group);
  const matches = all
    .filter(({ user_id }) => matchesWords(text.value, nameOf(user_id)))
    .sort(
      (a, b) =>
        Number(a.viaGroups !== undefined) - Number(b.viaGroups !== undefined) ||
        compareNames(nameOf(a.user_id), nameOf(b.user_id)),
    );
  const visible = matches.slice(0, MEMBERS_SHOWN_MAX);
  const canRemove = canChangeGroup(state, group, "can_remove_members_group");
  return (
    <>
      <h2>{t("members", { count: all.length })}</h2>
      {!group.deactivated && canChangeGroup(state, group, "can_add_members_group") && (
        <Add group={group} />
      )}
      <Subgroups group={group} />
      {all.length > 8 && <SearchField text={text} label={t("filter-members")} />}
      <ul class="people-rows">
        {visible.map((member) => (
          <PersonLine key={member.user_id} user_id={member.user_id} {...noteOfMember(member)}>
            {canRemove && member.viaGroups === undefined && (
              <Button
                kind="quiet"
                aria-label={t("remove-named", { name: nameOf(member.user_id) })}
                onClick={() => void removeMember(group, { delete: [member.user_id] })}
              >
                {t("remove")}
              </Button>
            )}
          </PersonLine>
        ))}
      </ul>
      {matches.length > visible.length && (
        <p class="hint">{t("more-found", { count: matches.length - visible.length })}</p>
      )}
      {all.length === 0 && <p class="hint">{t("group-empty")}</p>}
    </>
  );
}

function noteOfMember({ viaGroups }: Member): { note?: string } {
  if (!viaGroups) return {};
  return { note: t("member-via", { path: viaGroups.map(groupName).join(" › ") }) };
}

function Subgroups({ group }: { group: Group }) {
  subscribe("groups");
  const state = getState();
  const inside = group.direct_subgroup_ids.flatMap((id) => state.groups.groups.get(id) ?? []);
  const canRemove = canChangeGroup(state, group);
  if (inside.length === 0) return null;
  return (
    <ul class="people-rows">
      {inside.map((subgroup) => (
        <li key={subgroup.id}>
          <Icon name={groupIcon(subgroup)} />
          <span>
            <a class="name" href={addressOf(groupView(subgroup.id))}>
              <bdi>{groupName(subgroup)}</bdi>
            </a>
            <small>
              {t("group-of", { count: settingAudience(state, subgroup.id, true).people.size })}
            </small>
          </span>
          <span>
            {canRemove && (
              <Button
                kind="quiet"
                aria-label={t("remove-named", { name: groupName(subgroup) })}
                onClick={() => void removeMember(group, { delete_subgroups: [subgroup.id] })}
              >
                {t("remove")}
              </Button>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

type MemberRemoval = { delete: number[] } | { delete_subgroups: number[] };

async function removeMember(group: Group, change: MemberRemoval): Promise<void> {
  try {
    await changeGroup(group.id, change);
    const undoParams =
      "delete" in change ? { add: change.delete } : { add_subgroups: change.delete_subgroups };
    const undo = () => void changeGroup(group.id, undoParams).catch(showRefusal);
    const text = t("member-removed", { name: nameIn(change) });
    showToast(
      canChangeGroup(getState(), group, "can_add_members_group") ? { text, undo } : { text },
    );
  } catch (error) {
    showRefusal(error);
  }
}

function nameIn(change: MemberRemoval): string {
  if ("delete" in change)
    return personOf(getState().people, firstOf(change.delete))?.full_name ?? "";
  const group = getState().groups.groups.get(firstOf(change.delete_subgroups));
  return group ? groupName(group) : "";
}

function Add({ group }: { group: Group }) {
  subscribe("groups");
  const saving = useSaving();
  const picked = useSignal<Picked[]>([]);
  const ids = (kind: Picked["kind"]) =>
    picked.value.filter((pick) => pick.kind === kind).map(({ id }) => id);
  const add = async () => {
    const change = { add: ids("person"), add_subgroups: ids("group") };
    const { length } = picked.value;
    if (!(await saving.save(ADD_FIELD, () => changeGroup(group.id, change)))) return;
    picked.value = [];
    showToast({ text: t("people-added", { count: length }) });
  };
  return (
    <AddForm
      picked={picked}
      saving={saving}
      placeholder={t("people-groups")}
      kinds={["person", "group"]}
      canBePicked={(pick) => canBeAdded(group, pick)}
      submitLabel={t("add")}
      onAdd={() => void add()}
    />
  );
}

/** Excludes members, and groups that contain this one. */
function canBeAdded(group: Group, pick: Picked): boolean {
  if (pick.kind === "person") return !group.members.includes(pick.id);
  if (pick.id === group.id || group.direct_subgroup_ids.includes(pick.id)) return false;
  return canBeMember(pick) && !subgroupsOf(getState().groups, [pick.id]).has(group.id);
}
