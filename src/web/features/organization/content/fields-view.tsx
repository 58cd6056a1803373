// The fields that profiles have, in the order in which they are shown.
import { dropField, orderFields } from "../../../api/organization-calls.ts";
import { sync } from "../../../here.ts";
import { keyed, now } from "../../../live.ts";
import { Button } from "../../../ui/button.tsx";
import { openLayer } from "../../../ui/layers.ts";
import { say } from "../../../words/words.ts";
import { isAdministrator } from "../may.ts";
import { EditField, FIELD_ID, type Field, TYPE_WORDS } from "./field-dialog.tsx";
import { EditButton, Empty, ListRow, OnlyLooking, OrderButtons, RemoveButton } from "./parts.tsx";

export function FieldsPage() {
  keyed("fields");
  const all = (now().people.fields as readonly Field[]).toSorted((a, b) => a.order - b.order);
  const may = isAdministrator();
  const ids = all.map(({ id }) => id);
  return (
    <>
      <OnlyLooking may={may} words="org-not-yours" />
      {may && (
        <div class="org-top">
          <Button icon="plus" onClick={() => openLayer(FIELD_ID, <EditField />)}>
            {say("org-field-new")}
          </Button>
        </div>
      )}
      <Empty isShown={all.length === 0} words="org-fields-none" />
      <ol class="settings-list">
        {all.map((field, at) => (
          <ListRow key={field.id} name={field.name} note={noteOf(field)}>
            {(act) =>
              may && (
                <>
                  <OrderButtons
                    act={act}
                    name={field.name}
                    at={at}
                    ids={ids}
                    order={(order) => orderFields(sync, { order })}
                  />
                  <EditButton
                    name={field.name}
                    onClick={() => openLayer(FIELD_ID, <EditField field={field} />)}
                  />
                  <RemoveButton
                    act={act}
                    name={field.name}
                    words="org-field-remove-hint"
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
  const words = TYPE_WORDS[type];
  return [
    words ? say(words) : "",
    required ? say("org-field-required") : "",
    display_in_profile_summary ? say("org-field-summary") : "",
    editable_by_user === false ? say("org-field-fixed") : "",
  ]
    .filter(Boolean)
    .join(" · ");
}
