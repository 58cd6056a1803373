// The profile fields in the order of display.
import { dropField, orderFields } from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { openLayer } from "../../../ui/layers.ts";
import { t } from "../../../words/words.ts";
import { isAdministrator } from "../permissions.ts";
import { EditField, FIELD_ID, type Field, TYPE_WORDS } from "./field-dialog.tsx";
import {
  EditButton,
  Empty,
  ListRow,
  ReadOnlyNote,
  ListOrderButtons,
  RemoveButton,
} from "./list-parts.tsx";

export function FieldsPage() {
  subscribe("fields");
  const all = getState().people.fields.toSorted((a, b) => a.order - b.order);
  const canChange = isAdministrator();
  const ids = all.map(({ id }) => id);
  return (
    <>
      <ReadOnlyNote canChange={canChange} textKey="org-not-allowed" />
      {canChange && (
        <div class="org-top">
          <Button icon="plus" onClick={() => openLayer(FIELD_ID, <EditField />)}>
            {t("org-field-new")}
          </Button>
        </div>
      )}
      <Empty isShown={all.length === 0} textKey="org-fields-none" />
      <ol class="settings-list">
        {all.map((field, index) => (
          <ListRow key={field.id} name={field.name} note={noteOf(field)}>
            {(attempt) =>
              canChange && (
                <>
                  <ListOrderButtons
                    attempt={attempt}
                    name={field.name}
                    index={index}
                    ids={ids}
                    order={(order) => orderFields(sync, { order })}
                  />
                  <EditButton
                    name={field.name}
                    onClick={() => openLayer(FIELD_ID, <EditField field={field} />)}
                  />
                  <RemoveButton
                    attempt={attempt}
                    name={field.name}
                    textKey="org-field-remove-hint"
                    remove={() => dropField(sync, { field_id: field.id })}
                  />
                </>
              )
            }
          </ListRow>
        ))}
      </ol>
    </>
  );
}

function noteOf({ type, required, display_in_profile_summary, editable_by_user }: Field): string {
  const textKey = TYPE_WORDS[type];
  return [
    textKey ? t(textKey) : "",
    required ? t("org-field-required") : "",
    display_in_profile_summary ? t("org-field-summary") : "",
    editable_by_user === false ? t("org-field-fixed") : "",
  ]
    .filter(Boolean)
    .join(" · ");
}
