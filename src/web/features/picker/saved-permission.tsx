// Saves a permission when it is chosen, or with a button if the user may lose it by the change.
import type { ComponentChildren } from "preact";
import { useSignal } from "@preact/signals";
import { SaveRow } from "../../ui/form/save-row.tsx";
import { useSavedChoice } from "../../ui/form/saved-choice.ts";
import { SavedPart } from "../../ui/form/saved-note.tsx";
import type { Saving } from "../../ui/saving.ts";
import { isSameSetting } from "../groups/audience-selectors.ts";
import type { GroupSetting } from "../groups/state.ts";

interface PermissionField {
  value: GroupSetting;
  error: string | undefined;
  onChange: (value: GroupSetting) => void;
}

interface SavedPermissionProps {
  /** The name of the permission. */
  name: string;
  /** The saved value. */
  value: GroupSetting;
  saving: Saving;
  set: (next: GroupSetting, old: GroupSetting) => Promise<unknown>;
  /** Whether a change waits for the Save button. */
  isConfirmed: boolean;
  /** Describes what an unsaved change does. */
  effectOf?: (value: GroupSetting) => ComponentChildren;
  children: (field: PermissionField) => ComponentChildren;
}

export function SavedPermission(props: SavedPermissionProps) {
  const { name, saving, isConfirmed, effectOf } = props;
  const saved = useSavedChoice({ value: props.value, part: name, saving, set: props.set });
  const newValue = useSignal<GroupSetting | undefined>(undefined);
  const value = newValue.value ?? saved.value;
  const onChange = (next: GroupSetting) => {
    saving.forget(name);
    if (isConfirmed) newValue.value = next;
    else void saved.choose(next);
  };
  const drop = () => {
    newValue.value = undefined;
    saving.forget(name);
  };
  const confirm = async () => {
    if (await saved.choose(value)) drop();
  };
  const isUnsaved = newValue.value !== undefined && !isSameSetting(newValue.value, saved.stored);
  return (
    <div class="permission">
      {props.children({ value, error: saving.errors.value[name], onChange })}
      {isUnsaved ? (
        <>
          {effectOf?.(value)}
          <SaveRow
            isBusy={saving.busy.value !== undefined}
            onSave={() => void confirm()}
            onCancel={drop}
          />
        </>
      ) : (
        <SavedPart saving={saving} part={name} />
      )}
    </div>
  );
}
