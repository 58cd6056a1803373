// A permission of the whole organization, saved as soon as it is chosen.
import {
  REALM_PERMISSIONS,
  type RealmPermission,
} from "../../../../features/rights/permission-rules.ts";
import { subscribe } from "../../../store/store.ts";
import { SavedNote } from "../../../ui/form/saved-note.tsx";
import { t } from "../../../words/words.ts";
import type { GroupSetting } from "../../groups/state.ts";
import { Permission } from "../../picker/permission.tsx";
import { disabledReason } from "../permissions.ts";
import { changePermission, refusals, saved, shownOf, undo } from "./actions.ts";
import type { OrganizationRow } from "./kinds.ts";
import { permissionLabel } from "./permission-rows.ts";

export function PermissionRow({ row: { name, textKey } }: { row: OrganizationRow }) {
  subscribe(`realm:${name}`, "groups");
  const right = name as RealmPermission;
  const value = shownOf(name) as GroupSetting;
  const reason = disabledReason(name);
  return (
    <div class="settings-row" data-wide="">
      <Permission
        id={`setting-${name}`}
        label={t(textKey)}
        action={t(permissionLabel(name))}
        allowed={REALM_PERMISSIONS[right]}
        value={value}
        disabled={reason !== undefined}
        hint={reason === "org-owners-only" ? t(reason) : undefined}
        error={refusals.useRow(name)}
        onChange={(next) => void changePermission(right, next, value)}
      />
      {saved.value?.name === name && <SavedNote undo={() => void undo()} />}
    </div>
  );
}
