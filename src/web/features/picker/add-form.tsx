// A form that adds the picked users, groups or channels; its button appears with the first one.
import type { ComponentChildren } from "preact";
import type { Signal } from "@preact/signals";
import { Button } from "../../ui/button.tsx";
import { FieldError } from "../../ui/form/text-field.tsx";
import type { Saving } from "../../ui/saving.ts";
import { t } from "../../words/words.ts";
import { Picker } from "./picker.tsx";
import type { Picked } from "./selectors.ts";

/** The name of this form among the parts of a page that are saved separately. */
export const ADD_FIELD = "add";

interface AddFormProps {
  picked: Signal<Picked[]>;
  saving: Saving;
  placeholder: string;
  kinds: readonly Picked["kind"][];
  canBePicked: (pick: Picked) => boolean;
  submitLabel: string;
  onAdd: () => void;
  class?: string;
  /** Options, shown with the button. */
  children?: ComponentChildren;
}

export function AddForm(props: AddFormProps) {
  const { picked, saving, placeholder, kinds, canBePicked, submitLabel, onAdd, children } = props;
  const error = saving.errors.value[ADD_FIELD];
  return (
    <form
      class={`form ${props.class ?? ""}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (picked.value.length > 0) onAdd();
      }}
    >
      <div>
        <Picker
          label={t("add-people")}
          placeholder={placeholder}
          picked={picked.value}
          kinds={kinds}
          canBePicked={canBePicked}
          isWrong={error !== undefined}
          onChange={(next) => {
            picked.value = next;
            saving.forget(ADD_FIELD);
          }}
        />
        <FieldError text={error} />
      </div>
      {picked.value.length > 0 && (
        <>
          {children}
          <div class="save-row">
            <Button kind="primary" type="submit" disabled={saving.busy.value !== undefined}>
              {submitLabel}
            </Button>
          </div>
        </>
      )}
    </form>
  );
}
