// The page of a group: description, members, subgroups and permissions.
import {
  GROUP_DESCRIPTION_LENGTH_MAX,
  GROUP_NAME_LENGTH_MAX,
} from "../../../features/groups/rules.ts";
import type { GroupPermission } from "../../../features/rights/permission-rules.ts";
import { go } from "../../store/address.ts";
import { editGroup } from "../../api/manage-calls.ts";
import { sync } from "../../sync/session.ts";
import { subscribe, getState } from "../../store/store.ts";
import { Button } from "../../ui/button.tsx";
import { useSavedTexts } from "../../ui/form/saved-texts.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { type Saving, useLeaveWithoutPermission, useSaving } from "../../ui/saving.ts";
import { t } from "../../words/words.ts";
import { PageHead } from "../page/page-head.tsx";
import { SavedPermission } from "../picker/saved-permission.tsx";
import { canChangeGroup } from "./editing-permissions.ts";
import { GroupMembers } from "./members.tsx";
import { roleOf } from "./permissions.ts";
import { isMemberOf } from "./selectors.ts";
import { changeOwnMembership } from "./member-actions.ts";
import { groupName } from "./name-selectors.ts";
import { DeactivateGroup } from "./deactivate.tsx";
import { GroupPermissionField, RIGHTS } from "./saved-permissions.tsx";
import { groupListView } from "./route-rules.ts";
import type { Group } from "./state.ts";

const GUEST = 600;

export function GroupEditor({ group_id }: { group_id: number }) {
  subscribe("groups", `group:${group_id}`, "users", "realm");
  const state = getState();
  const isGuest = roleOf(state) === GUEST;
  const group = isGuest ? undefined : state.groups.groups.get(group_id);
  const canChange = group !== undefined && canChangeGroup(state, group);
  useLeaveWithoutPermission(group !== undefined, () => go(groupListView()));
  useLeaveWithoutPermission(canChange, () => undefined);
  if (!group) {
    return (
      <>
        <PageHead title={t("groups")} list={groupListView()} />
        <div class="feed-note empty-note" role="alert">
          <p>{t(isGuest ? "groups-not-guests" : "no-such-group")}</p>
          {!isGuest && (
            <Button icon="people" onClick={() => go(groupListView())}>
              {t("browse-groups")}
            </Button>
          )}
        </div>
      </>
    );
  }
  return (
    <>
      <PageHead title={groupName(group)} list={groupListView()} />
      <div class="page-body" tabIndex={0} role="region" aria-label={groupName(group)}>
        <div class="in">
          <OwnMembershipNote group={group} />
          {canChange ? (
            <Texts group={group} />
          ) : (
            <p class="intro" dir="auto">
              {group.description}
            </p>
          )}
          <section>
            <GroupMembers group={group} />
          </section>
          {!group.is_system_group && (
            <section>
              <h2>{t("permissions")}</h2>
              <Rights group={group} canChange={canChange} />
            </section>
          )}
          {canChange && <DeactivateGroup group={group} />}
        </div>
      </div>
    </>
  );
}

/** Buttons to join or leave, if the group allows it. */
function OwnMembershipNote({ group }: { group: Group }) {
  subscribe("groups");
  const state = getState();
  const { me } = state.people;
  const isDirect = group.members.includes(me);
  const canLeave =
    isDirect && canChangeGroup(state, group, "can_leave_group", "can_remove_members_group");
  const canJoin =
    !isDirect && canChangeGroup(state, group, "can_join_group", "can_add_members_group");
  const isInside = isMemberOf(state.groups, group.id, me);
  return (
    <div class="save-row page-top">
      {group.deactivated && (
        <span class="tag" data-kind="warn">
          {t("deactivated-accounts")}
        </span>
      )}
      {isInside && <span class="tag">{t("member")}</span>}
      {canJoin && (
        <Button icon="plus" onClick={() => void changeOwnMembership(group.id, true)}>
          {t("join-channel")}
        </Button>
      )}
      {canLeave && (
        <Button kind="quiet" onClick={() => void changeOwnMembership(group.id, false)}>
          {t("leave")}
        </Button>
      )}
    </div>
  );
}

/** Each text is saved when the user leaves its field. */
function Texts({ group }: { group: Group }) {
  subscribe("groups");
  const { id: user_group_id } = group;
  const { name, description } = useSavedTexts(group, {
    name: (text) => editGroup(sync, { user_group_id, name: text }),
    description: (text) => editGroup(sync, { user_group_id, description: text }),
  });
  return (
    <div class="form">
      <TextField {...name} label={t("name")} lengthMax={GROUP_NAME_LENGTH_MAX} />
      <TextField
        {...description}
        label={t("description")}
        lengthMax={GROUP_DESCRIPTION_LENGTH_MAX}
      />
    </div>
  );
}

function Rights({ group, canChange }: { group: Group; canChange: boolean }) {
  const saving = useSaving();
  return (
    <div>
      {RIGHTS.map((name) => (
        <Right key={name} name={name} group={group} canChange={canChange} saving={saving} />
      ))}
    </div>
  );
}

interface Changing {
  name: GroupPermission;
  group: Group;
  canChange: boolean;
  saving: Saving;
}

/** This permission is saved with a button, since the user may lose it by the change. */
const CONFIRMED_PERMISSION: GroupPermission = "can_manage_group";

function Right({ name, group, canChange, saving }: Changing) {
  subscribe("groups");
  const { id: user_group_id } = group;
  return (
    <SavedPermission
      name={name}
      value={group[name]}
      saving={saving}
      set={(next, old) => editGroup(sync, { user_group_id, [name]: { new: next, old } })}
      isConfirmed={name === CONFIRMED_PERMISSION}
    >
      {(field) => (
        <GroupPermissionField name={name} {...field} canChange={canChange && !group.deactivated} />
      )}
    </SavedPermission>
  );
}
