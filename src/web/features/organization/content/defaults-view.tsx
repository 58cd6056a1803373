// The default channels of new users, and groups of channels from which they can choose.
import { useSignal } from "@preact/signals";
import {
  addDefaultChannel,
  createDefaultGroup,
  changeDefaultGroup,
  dropDefault,
  dropDefaultGroup,
  editDefaultGroup,
} from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { openLayer, useCloseLayer } from "../../../ui/layers.ts";
import { showToast } from "../../../ui/toast.tsx";
import { t } from "../../../words/words.ts";
import { compareNames } from "../../../matching.ts";
import type { Picked } from "../../picker/selectors.ts";
import { nameOfPicked, PickedIcon } from "../../picker/names.tsx";
import { Picker } from "../../picker/picker.tsx";
import { Refusal, TextField, useSending } from "../../../ui/form/form.tsx";
import { runWithToast } from "../../../ui/form/save-errors.ts";
import type { Attempt } from "../../settings/setting-frame.tsx";
import { isAdministrator } from "../permissions.ts";
import { EditButton, Empty, ListRow, ReadOnlyNote, RemoveButton } from "./list-parts.tsx";
import { descriptionText } from "../../channels/selectors.ts";

import type { DefaultGroup } from "../../channels/state.ts";

const ID = "default-group";
const channelPick = (id: number): Picked => ({ kind: "channel", id });
const nameOf = (id: number) => nameOfPicked(channelPick(id));
const rowOf = (id: number) => getState().channels.channels.get(id)?.row;

function descriptionOf(id: number): string | undefined {
  const row = rowOf(id);
  return row && (descriptionText(row) || undefined);
}

/** Private channels cannot be default channels. */
const isOpenToAll = ({ id }: Picked) => {
  const row = rowOf(id);
  return row !== undefined && !row.invite_only && !row.is_archived;
};

export function DefaultChannelsPage() {
  const canChange = isAdministrator();
  return (
    <>
      <ReadOnlyNote canChange={canChange} textKey="org-not-allowed" />
      <Defaults canChange={canChange} />
      <DefaultGroupList canChange={canChange} />
    </>
  );
}

function Defaults({ canChange }: { canChange: boolean }) {
  subscribe("channels");
  const { defaults } = getState().channels;
  const { refusal, send } = useSending();
  const inOrder = [...defaults].sort((a, b) => compareNames(nameOf(a), nameOf(b)));
  return (
    <section>
      <h3>{t("org-default-channels")}</h3>
      <ul class="settings-list">
        {inOrder.map((stream_id) => (
          <ListRow
            key={stream_id}
            lead={<PickedIcon pick={channelPick(stream_id)} size={20} />}
            name={nameOf(stream_id)}
            note={descriptionOf(stream_id)}
          >
            {(attempt) => canChange && <RemoveDefault attempt={attempt} stream_id={stream_id} />}
          </ListRow>
        ))}
      </ul>
      {canChange && (
        <Picker
          label={t("org-default-add")}
          picked={[]}
          kinds={["channel"]}
          placeholder={t("picker-example")}
          canBePicked={(pick) => isOpenToAll(pick) && !defaults.includes(pick.id)}
          onChange={([pick]) => {
            if (pick) void send(() => addDefaultChannel(sync, { stream_id: pick.id }));
          }}
        />
      )}
      <Refusal text={refusal.value} />
    </section>
  );
}

function DefaultGroupList({ canChange }: { canChange: boolean }) {
  subscribe("channels");
  const groups = getState().channels.default_groups;
  return (
    <section>
      <h3>{t("org-default-sets")}</h3>
      <p class="settings-intro">{t("org-default-sets-hint")}</p>
      <Empty isShown={groups.length === 0} textKey="org-default-sets-none" />
      <ul class="settings-list">
        {groups.map((group) => (
          <ListRow key={group.id} name={group.name} note={noteOf(group)}>
            {(attempt) =>
              canChange && (
                <>
                  <EditButton
                    name={group.name}
                    onClick={() => openLayer(ID, <EditGroup group={group} />)}
                  />
                  <RemoveButton
                    attempt={attempt}
                    name={group.name}
                    textKey="org-default-set-remove-hint"
                    remove={() => dropDefaultGroup(sync, { group_id: group.id })}
                  />
                </>
              )
            }
          </ListRow>
        ))}
      </ul>
      {canChange && (
        <Button icon="plus" onClick={() => openLayer(ID, <EditGroup />)}>
          {t("org-default-set-new")}
        </Button>
      )}
    </section>
  );
}

const noteOf = ({ description, streams }: DefaultGroup) =>
  [description, ...streams.map((id) => `#${nameOf(id)}`)].filter(Boolean).join(" · ");

function RemoveDefault({ attempt, stream_id }: { attempt: Attempt; stream_id: number }) {
  const name = nameOf(stream_id);
  const remove = async () => {
    if (!(await attempt(() => dropDefault(sync, { stream_id })))) return;
    const undo = () => void runWithToast(() => addDefaultChannel(sync, { stream_id }));
    showToast({ text: t("org-default-removed", { name }), undo });
  };
  const label = t("remove-named", { name });
  return <IconButton icon="x" size="s" label={label} onClick={() => void remove()} />;
}

const FIELDS = {
  name: ["name", "group_name", "new_group_name"],
  about: ["description", "new_description"],
};

function EditGroup({ group }: { group?: DefaultGroup }) {
  const [name, about] = [useSignal(group?.name ?? ""), useSignal(group?.description ?? "")];
  const channels = useSignal<readonly Picked[]>((group?.streams ?? []).map(channelPick));
  const { errorOf, isBusy, send } = useSending(FIELDS);
  const close = useCloseLayer(ID);
  const save = async () => {
    const ids = channels.value.map(({ id }) => id);
    const call = () => (group ? change(group, name.value, about.value, ids) : make(ids));
    if (await send(call)) close();
  };
  const make = (ids: readonly number[]) =>
    createDefaultGroup(sync, {
      group_name: name.value,
      description: about.value,
      stream_names: ids.map(nameOf),
    });
  return (
    <Dialog
      id={ID}
      isAllowed={isAdministrator()}
      title={t(group ? "org-default-set-edit" : "org-default-set-new")}
      onSubmit={() => void save()}
      foot={
        <Button kind="primary" type="submit" disabled={isBusy.value || name.value.trim() === ""}>
          {t("save")}
        </Button>
      }
    >
      <div class="form org-wide">
        <TextField label={t("name")} value={name} refusal={errorOf("name")} />
        <TextField label={t("description")} value={about} refusal={errorOf("about")} />
        <Picker
          label={t("channels")}
          picked={channels.value}
          kinds={["channel"]}
          canBePicked={(pick) =>
            isOpenToAll(pick) && !getState().channels.defaults.includes(pick.id)
          }
          onChange={(all) => (channels.value = all)}
        />
        <Refusal text={errorOf("")} />
      </div>
    </Dialog>
  );
}

/** Sends only the changes. */
async function change(group: DefaultGroup, name: string, about: string, ids: readonly number[]) {
  const { id: group_id, streams } = group;
  const added = ids.filter((id) => !streams.includes(id)).map(nameOf);
  const removedNames = streams.filter((id) => !ids.includes(id)).map(nameOf);
  if (name !== group.name || about !== group.description) {
    await editDefaultGroup(sync, {
      group_id,
      ...(name !== group.name && { new_group_name: name }),
      ...(about !== group.description && { new_description: about }),
    });
  }
  if (added.length > 0)
    await changeDefaultGroup(sync, { group_id, op: "add", stream_names: added });
  if (removedNames.length > 0) {
    await changeDefaultGroup(sync, { group_id, op: "remove", stream_names: removedNames });
  }
}
