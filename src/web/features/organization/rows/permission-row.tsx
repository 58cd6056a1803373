// A right of the whole organization: who has it is chosen, looked at, and then saved.
import { useSignal } from "@preact/signals";
import {
  REALM_PERMISSIONS,
  type RealmPermission,
} from "../../../../features/rights/permission-rules.ts";
import { keyed } from "../../../live.ts";
import { say } from "../../../words/words.ts";
import { SaveRow } from "../../../ui/form/save-row.tsx";
import { isSameSetting } from "../../groups/reach.ts";
import type { GroupSetting } from "../../groups/state.ts";
import { Permission } from "../../picker/permission.tsx";
import { SavedNote } from "../../settings/frame.tsx";
import { whyNot } from "../may.ts";
import { changePermission, refusals, saved, shownOf, undo } from "./actions.ts";
import type { OrganizationRow } from "./kinds.ts";
import { deedOf } from "./permissions.ts";

export function PermissionRow({ row: { name, words } }: { row: OrganizationRow }) {
  keyed(`realm:${name}`, "groups");
  const right = name as RealmPermission;
  const chosen = useSignal<GroupSetting | undefined>(undefined);
  const isBusy = useSignal(false);
  const old = shownOf(name) as GroupSetting;
  const value = chosen.value ?? old;
  const reason = whyNot(name);
  const save = async () => {
    isBusy.value = true;
    if (await changePermission(right, value, old)) chosen.value = undefined;
    isBusy.value = false;
  };
  return (
    <div class="settings-row" data-wide="">
      <Permission
        id={`setting-${name}`}
        label={say(words)}
        deed={say(deedOf(name))}
        allowed={REALM_PERMISSIONS[right]}
        value={value}
        disabled={reason !== undefined}
        hint={reason === "org-owners-only" ? say(reason) : undefined}
        wrong={refusals.useRow(name)}
        onChange={(next) => (chosen.value = next)}
      />
      {!isSameSetting(value, old) && (
        <SaveRow
          isBusy={isBusy.value}
          onSave={() => void save()}
          onCancel={() => (chosen.value = undefined)}
        />
      )}
      {saved.value?.name === name && <SavedNote undo={() => void undo()} />}
    </div>
  );
}
