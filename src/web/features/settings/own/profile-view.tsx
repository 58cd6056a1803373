// The user's profile: name, picture, and custom fields.
import { useId } from "preact/hooks";
import { removePicture, updateProfileData } from "../../../api/account-calls.ts";
import { changeSettings } from "../../../api/message-calls.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Button } from "../../../ui/button.tsx";
import { t } from "../../../words/words.ts";
import { personOf, type ProfileField } from "../../people/state.ts";
import { Refusal, TextField } from "../../../ui/form/form.tsx";
import { runWithToast } from "../../../ui/form/save-errors.ts";
import { useSavedChoice } from "../../../ui/form/saved-choice.ts";
import { useSavedText } from "../../../ui/form/saved-text.ts";
import { SavedPart } from "../../../ui/form/saved-note.tsx";
import { useSaving } from "../../../ui/saving.ts";
import { PeopleField } from "./people-field.tsx";
import { OwnPicture, sendFile } from "./picture.tsx";

const [LONG, CHOICE, DATE, LINK, PEOPLE] = [2, 3, 4, 5, 6];
/** Each field saves by itself. */
const PART = "field";
type ProfileValue = string | number[] | null;

/** If only administrators may change it, others see an explanation. */
function canChange(kind: "name" | "avatar"): boolean {
  const { organization, people } = getState();
  if (people.own.is_admin === true) return true;
  const names = [`realm_${kind}_changes_disabled`, `server_${kind}_changes_disabled`] as const;
  return names.every((name) => organization.fields[name] !== true);
}

export function ProfilePage() {
  const { people } = getState();
  subscribe(`user:${people.me}`, "fields", "realm", "users");
  const me = personOf(people, people.me);
  if (!me) return null;
  return (
    <>
      <section class="settings-picture">
        <h3>{t("settings-picture")}</h3>
        <Avatar person={me} size={72} />
        {!canChange("avatar") && <p class="hint">{t("org-administrators-only")}</p>}
        {canChange("avatar") && (
          <>
            <OwnPicture
              label={t("settings-picture-choose")}
              text={t("settings-picture-choose")}
              send={(file) => sendFile("POST", "/users/me/avatar", {}, file)}
            />
            {people.own["avatar_source"] === "U" && (
              <Button onClick={() => void runWithToast(() => removePicture(sync, {}))}>
                {t("remove")}
              </Button>
            )}
          </>
        )}
      </section>
      <section class="settings-form">
        {canChange("name") ? (
          <Saved
            label={t("name")}
            value={me.full_name}
            save={(full_name) => changeSettings(sync, { full_name: full_name as string })}
          />
        ) : (
          <div>
            <p>
              {t("name")}: <bdi>{me.full_name}</bdi>
            </p>
            <p class="hint">{t("org-administrators-only")}</p>
          </div>
        )}
      </section>
      {people.fields.length > 0 && (
        <section class="settings-form">
          <h3>{t("settings-fields")}</h3>
          {people.fields
            .filter((field) => canFill(field))
            .toSorted((a, b) => a.order - b.order)
            .map((field) => (
              <Field
                key={field.id}
                field={field}
                value={me.profile_data?.[field.id]?.value ?? ""}
              />
            ))}
        </section>
      )}
    </>
  );
}

const canFill = (field: ProfileField & { editable_by_user?: boolean }) =>
  field.editable_by_user !== false || getState().people.own.is_admin === true;

function Field({ field, value }: { field: ProfileField; value: string }) {
  const save = (next: ProfileValue) =>
    updateProfileData(sync, { data: [{ id: field.id, value: next === "" ? null : next }] });
  if (field.type === PEOPLE) {
    return <PeopleField label={field.name} value={value} save={(ids) => save([...ids])} />;
  }
  if (field.type === CHOICE) {
    return <Choice field={field} value={value} save={save} />;
  }
  const type = field.type === DATE ? "date" : field.type === LINK ? "url" : "text";
  return (
    <Saved
      label={field.name}
      hint={field.hint}
      type={type}
      maxLength={field.type === LONG ? 500 : undefined}
      value={value}
      save={save}
    />
  );
}

interface ProfileChoiceProps {
  field: ProfileField;
  value: string;
  save: (value: ProfileValue) => Promise<unknown>;
}

function Choice({ field: { name, field_data }, value, save }: ProfileChoiceProps) {
  const id = useId();
  const saving = useSaving();
  const { value: displayedValue, choose } = useSavedChoice({
    value,
    part: PART,
    saving,
    set: save,
  });
  const error = saving.errors.value[PART] ?? "";
  const choices: Readonly<Record<string, { text: string }>> = JSON.parse(field_data || "{}");
  return (
    <div class="settings-field">
      <span>
        <label for={id}>
          <bdi>{name}</bdi>
        </label>{" "}
        <SavedPart saving={saving} part={PART} />
      </span>
      <span class="field">
        <select
          id={id}
          value={displayedValue}
          aria-invalid={error !== ""}
          aria-describedby={`${id}-refusal`}
          onChange={({ currentTarget }) => void choose(currentTarget.value)}
        >
          <option value="">{t("none-selected")}</option>
          {Object.entries(choices).map(([key, { text }]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      </span>
      <Refusal id={`${id}-refusal`} text={error} />
    </div>
  );
}

interface SavedFieldProps {
  label: string;
  value: string;
  hint?: string;
  type?: "text" | "date" | "url";
  maxLength?: number | undefined;
  save: (value: ProfileValue) => Promise<unknown>;
}

/** Saved when the user leaves it, with undo. A refused text stays as it was typed. */
function Saved({ label, value, hint = "", type = "text", maxLength, save }: SavedFieldProps) {
  const saving = useSaving();
  const field = useSavedText({ value, part: PART, saving, set: save });
  return (
    <TextField
      label={label}
      value={{
        get value() {
          return field.value;
        },
        set value(text) {
          field.onInput(text);
        },
      }}
      refusal={field.error}
      beside={<SavedPart saving={saving} part={PART} />}
      type={type}
      placeholder={hint}
      {...(maxLength !== undefined && { maxLength })}
      onChange={field.onChange}
      onBlur={field.onBlur}
    />
  );
}
