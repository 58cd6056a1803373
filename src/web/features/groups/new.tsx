// The page for creating a group: name, description, members and permissions.
import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import {
  GROUP_DESCRIPTION_LENGTH_MAX,
  GROUP_NAME_LENGTH_MAX,
} from "../../../features/groups/rules.ts";
import type { GroupPermission } from "../../../features/rights/permission-rules.ts";
import { go } from "../../store/address.ts";
import { createGroup } from "../../api/manage-calls.ts";
import { sync } from "../../sync/session.ts";
import { subscribe, getState } from "../../store/store.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { fieldsOf } from "../../ui/form/save-errors.ts";
import { errorOf, useLeaveWithoutPermission } from "../../ui/saving.ts";
import { t } from "../../words/words.ts";
import { PageHead } from "../page/page-head.tsx";
import type { Picked } from "../picker/selectors.ts";
import { Denied } from "../picker/permission.tsx";
import { Picker } from "../picker/picker.tsx";
import { canCreateGroups } from "./editing-permissions.ts";
import { initialGroupPermission, GroupPermissionField, RIGHTS } from "./saved-permissions.tsx";
import { groupListView, groupView } from "./route-rules.ts";
import type { GroupSetting } from "./state.ts";

interface GroupDraft {
  name: string;
  description: string;
  picked: Picked[];
  rights: Partial<Record<GroupPermission, GroupSetting>>;
}

/** Outlives the page, so that leaving it loses nothing. */
const draft = signal<GroupDraft | undefined>(undefined);

const newDraft = (): GroupDraft => ({
  name: "",
  description: "",
  picked: [{ kind: "person", id: getState().people.me }],
  rights: {},
});

export function NewGroup() {
  subscribe("groups", "realm", "users");
  const canCreate = canCreateGroups(getState());
  useLeaveWithoutPermission(canCreate, () => go(groupListView()));
  const errors = useSignal<{ name?: string; foot?: string }>({});
  const isBusy = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  const currentDraft = draft.value ?? newDraft();
  const set = (change: Partial<GroupDraft>) => {
    draft.value = { ...currentDraft, ...change };
    errors.value = {};
  };
  useEffect(() => form.current?.querySelector<HTMLElement>("input")?.focus(), []);
  const submit = async () => {
    if (isBusy.value) return;
    if (currentDraft.name.trim() === "") {
      errors.value = { name: t("name-missing") };
      form.current?.querySelector<HTMLElement>("input")?.focus();
      return;
    }
    isBusy.value = true;
    try {
      await createGroupFromDraft(currentDraft);
    } catch (error) {
      const text = errorOf(error);
      errors.value = fieldsOf(error).has("name") ? { name: text } : { foot: text };
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <>
      <PageHead title={t("new-group")} list={groupListView()} />
      <div class="page-body" tabIndex={0} role="region" aria-label={t("new-group")}>
        {canCreate ? (
          <form
            class="in form"
            id="new-group"
            ref={form}
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              void submit();
            }}
          >
            <Parts shown={currentDraft} set={set} errors={errors.value.name} />
          </form>
        ) : (
          <Denied textKey="cannot-create-groups" to={["can_create_groups"]} />
        )}
      </div>
      {canCreate && <Foot text={errors.value.foot} isBusy={isBusy.value} />}
    </>
  );
}

interface GroupPartsProps {
  shown: GroupDraft;
  set: (change: Partial<GroupDraft>) => void;
  errors: string | undefined;
}

function Parts({ shown, set, errors }: GroupPartsProps) {
  return (
    <>
      <TextField
        label={t("name")}
        value={shown.name}
        lengthMax={GROUP_NAME_LENGTH_MAX}
        error={errors}
        onInput={(name) => set({ name })}
      />
      <TextField
        label={t("description")}
        value={shown.description}
        lengthMax={GROUP_DESCRIPTION_LENGTH_MAX}
        error={undefined}
        onInput={(description) => set({ description })}
      />
      <Picker
        label={t("members-heading")}
        placeholder={t("people-groups")}
        picked={shown.picked}
        kinds={["person", "group"]}
        canBePicked={canBeMember}
        onChange={(picked) => set({ picked })}
      />
      <details class="more-parts">
        <summary>{t("permissions")}</summary>
        <div>
          {RIGHTS.map((name) => (
            <GroupPermissionField
              key={name}
              name={name}
              value={shown.rights[name] ?? initialGroupPermission(name)}
              canChange
              error={undefined}
              onChange={(value) => set({ rights: { ...shown.rights, [name]: value } })}
            />
          ))}
        </div>
      </details>
    </>
  );
}

function Foot({ text, isBusy }: { text: string | undefined; isBusy: boolean }) {
  return (
    <footer class="foot-bar">
      <p class="hint" role="alert">
        {text !== undefined && <strong class="wrong">{text}</strong>}
      </p>
      <Button
        kind="quiet"
        onClick={() => {
          draft.value = undefined;
          go(groupListView());
        }}
      >
        {t("cancel")}
      </Button>
      <Button kind="primary" type="submit" form="new-group" disabled={isBusy}>
        {t("create-group")}
      </Button>
    </footer>
  );
}

/** The groups "nobody" and "everyone on the internet" cannot be members. */
export function canBeMember({ kind, id }: Picked): boolean {
  if (kind !== "group") return true;
  const name = getState().groups.groups.get(id)?.name;
  return name !== "role:nobody" && name !== "role:internet";
}

async function createGroupFromDraft(currentDraft: GroupDraft): Promise<void> {
  const ids = (kind: Picked["kind"]) =>
    currentDraft.picked.filter((pick) => pick.kind === kind).map(({ id }) => id);
  const { group_id } = await createGroup(sync, {
    name: currentDraft.name.trim(),
    description: currentDraft.description.trim(),
    members: ids("person"),
    subgroups: ids("group"),
    ...(currentDraft.rights as object),
  });
  draft.value = undefined;
  go(groupView(group_id));
}
