// A group's own page: what it is for, who is in it and through which groups, who may what with it.
import { type Signal, useSignal } from "@preact/signals";
import {
  GROUP_DESCRIPTION_LENGTH_MAX,
  GROUP_NAME_LENGTH_MAX,
} from "../../../features/groups/rules.ts";
import type { GroupPermission } from "../../../features/rights/permission-rules.ts";
import { go } from "../../address.ts";
import { editGroup } from "../../api/manage-calls.ts";
import { sync } from "../../here.ts";
import { keyed, known } from "../../live.ts";
import { Button } from "../../ui/button.tsx";
import { SaveRow } from "../../ui/form/save-row.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { type Saving, useRight, useSaving } from "../../ui/saving.ts";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";
import { PageHead } from "../frame/page-head.tsx";
import { mayChangeGroup } from "./asker.ts";
import { People } from "./people.tsx";
import { isIn, roleOf } from "./may.ts";
import { changeOwnMembership } from "./members.ts";
import { groupName } from "./names.ts";
import { SwitchOff } from "./off.tsx";
import { isSameSetting } from "./reach.ts";
import { GroupRight, RIGHTS } from "./rights.tsx";
import { groupListView } from "./route.ts";
import type { Group, GroupSetting } from "./state.ts";

const GUEST = 600;

export function GroupEditor({ group_id }: { group_id: number }) {
  keyed("groups", `group:${group_id}`, "users", "realm");
  const state = known()!;
  const isGuest = roleOf(state) === GUEST;
  const group = isGuest ? undefined : state.groups.groups.get(group_id);
  const may = group !== undefined && mayChangeGroup(state, group);
  useRight(group !== undefined, () => go(groupListView()));
  useRight(may, () => undefined);
  if (!group) {
    return (
      <>
        <PageHead title={say("groups")} list={groupListView()} />
        <p class="empty-note">{say(isGuest ? "groups-not-guests" : "no-such-group")}</p>
      </>
    );
  }
  return (
    <>
      <PageHead title={groupName(group)} list={groupListView()} />
      <div class="page-body" tabIndex={0} role="region" aria-label={groupName(group)}>
        <div class="in">
          <Own group={group} />
          {may ? (
            <Texts group={group} />
          ) : (
            <p class="intro" dir="auto">
              {group.description}
            </p>
          )}
          <section>
            <People group={group} />
          </section>
          {!group.is_system_group && (
            <section>
              <h2>{say("who-may-what")}</h2>
              <Rights group={group} may={may} />
            </section>
          )}
          {may && <SwitchOff group={group} />}
        </div>
      </div>
    </>
  );
}

/** Coming and going by oneself, where the group lets one. */
function Own({ group }: { group: Group }) {
  keyed("groups");
  const state = known()!;
  const { me } = state.people;
  const isDirect = group.members.includes(me);
  const mayLeave =
    isDirect && mayChangeGroup(state, group, "can_leave_group", "can_remove_members_group");
  const mayJoin =
    !isDirect && mayChangeGroup(state, group, "can_join_group", "can_add_members_group");
  const isInside = isIn(state.groups, group.id, me);
  return (
    <div class="save-row page-top">
      {group.deactivated && (
        <span class="tag" data-kind="warn">
          {say("switched-off")}
        </span>
      )}
      {isInside && <span class="tag">{say("member")}</span>}
      {mayJoin && (
        <Button icon="plus" onClick={() => void changeOwnMembership(group.id, true)}>
          {say("join-channel")}
        </Button>
      )}
      {mayLeave && (
        <Button kind="quiet" onClick={() => void changeOwnMembership(group.id, false)}>
          {say("leave")}
        </Button>
      )}
    </div>
  );
}

/** Input stays until it is saved, also after an error. */
function Texts({ group }: { group: Group }) {
  keyed("groups");
  const saving = useSaving();
  const name = useSignal<string | undefined>(undefined);
  const description = useSignal<string | undefined>(undefined);
  const isDirty = name.value !== undefined || description.value !== undefined;
  const save = async () => {
    const typed = { name: name.value?.trim(), description: description.value?.trim() };
    const { id: user_group_id } = group;
    const change = {
      ...(typed.name !== undefined && typed.name !== group.name && { name: typed.name }),
      ...(typed.description !== undefined &&
        typed.description !== group.description && { description: typed.description }),
    };
    const ask = async () => {
      if (Object.keys(change).length > 0) await editGroup(sync, { user_group_id, ...change });
    };
    if (await saving.save("name", ask)) name.value = description.value = undefined;
  };
  const type = (typed: Signal<string | undefined>) => (value: string) => {
    typed.value = value;
    saving.forget("name");
  };
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        label={say("name")}
        value={name.value ?? group.name}
        lengthMax={GROUP_NAME_LENGTH_MAX}
        wrong={saving.wrong.value["name"]}
        onInput={type(name)}
      />
      <TextField
        label={say("what-it-is-for")}
        value={description.value ?? group.description}
        lengthMax={GROUP_DESCRIPTION_LENGTH_MAX}
        wrong={undefined}
        onInput={type(description)}
      />
      {isDirty && (
        <SaveRow
          isBusy={saving.busy.value !== undefined}
          onCancel={() => {
            name.value = description.value = undefined;
            saving.wrong.value = {};
          }}
        />
      )}
    </form>
  );
}

function Rights({ group, may }: { group: Group; may: boolean }) {
  const saving = useSaving();
  const changed = useSignal<Partial<Record<GroupPermission, GroupSetting>>>({});
  return (
    <div>
      {RIGHTS.map((name) => (
        <Right key={name} name={name} group={group} may={may} saving={saving} changed={changed} />
      ))}
    </div>
  );
}

interface Changing {
  name: GroupPermission;
  group: Group;
  may: boolean;
  saving: Saving;
  changed: Signal<Partial<Record<GroupPermission, GroupSetting>>>;
}

function Right({ name, group, may, saving, changed }: Changing) {
  keyed("groups");
  const old = group[name];
  const value = changed.value[name] ?? old;
  const drop = () => {
    const { [name]: _dropped, ...others } = changed.value;
    changed.value = others;
    saving.forget(name);
  };
  const save = async () => {
    const asked = { user_group_id: group.id, [name]: { new: value, old } };
    if (!(await saving.save(name, () => editGroup(sync, asked)))) return;
    drop();
    showToast({ words: say("saved") });
  };
  return (
    <div class="permission">
      <GroupRight
        name={name}
        value={value}
        mayChange={may && !group.deactivated}
        wrong={saving.wrong.value[name]}
        onChange={(next) => {
          changed.value = { ...changed.value, [name]: next };
          saving.forget(name);
        }}
      />
      {!isSameSetting(value, old) && (
        <SaveRow
          isBusy={saving.busy.value !== undefined}
          onSave={() => void save()}
          onCancel={drop}
        />
      )}
    </div>
  );
}
