// The user's profile: name, picture, and custom fields.
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import { removePicture, sayOfMyself } from "../../../api/account-calls.ts";
import { changeSettings } from "../../../api/deed-calls.ts";
import { sync } from "../../../here.ts";
import { keyed, now } from "../../../live.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Button } from "../../../ui/button.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { say } from "../../../words/words.ts";
import { personOf, type ProfileField } from "../../people/state.ts";
import { attempt, Refusal, TextField, useSending } from "../form.tsx";
import { PeopleField } from "./people-field.tsx";
import { OwnPicture, sendFile } from "./picture.tsx";

const [LONG, CHOICE, DATE, LINK, PEOPLE] = [2, 3, 4, 5, 6];
export type Value = string | number[] | null;

/** If only administrators may change it, others see an explanation. */
function mayChange(kind: "name" | "avatar"): boolean {
  const { organization, people } = now();
  if (people.own["is_admin"] === true) return true;
  const names = [`realm_${kind}_changes_disabled`, `server_${kind}_changes_disabled`];
  return names.every((name) => organization.fields[name] !== true);
}

export function ProfilePage() {
  const { people } = now();
  keyed(`user:${people.me}`, "fields", "realm", "users");
  const me = personOf(people, people.me);
  if (!me) return null;
  return (
    <>
      <section class="settings-picture">
        <h3>{say("settings-picture")}</h3>
        <Avatar person={me} size={72} />
        {!mayChange("avatar") && <p class="hint">{say("org-administrators-only")}</p>}
        {mayChange("avatar") && (
          <>
            <OwnPicture
              label={say("settings-picture-choose")}
              words={say("settings-picture-choose")}
              send={(file) => sendFile("POST", "/users/me/avatar", {}, file)}
            />
            {people.own["avatar_source"] === "U" && (
              <Button onClick={() => void attempt(() => removePicture(sync, {}))}>
                {say("remove")}
              </Button>
            )}
          </>
        )}
      </section>
      <section class="settings-form">
        {mayChange("name") ? (
          <Saved
            label={say("name")}
            value={me.full_name}
            save={(full_name) => changeSettings(sync, { full_name: full_name as string })}
          />
        ) : (
          <div>
            <p>
              {say("name")}: <bdi>{me.full_name}</bdi>
            </p>
            <p class="hint">{say("org-administrators-only")}</p>
          </div>
        )}
      </section>
      {people.fields.length > 0 && (
        <section class="settings-form">
          <h3>{say("settings-fields")}</h3>
          {people.fields
            .filter((field) => mayFill(field))
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

const mayFill = (field: ProfileField & { editable_by_user?: boolean }) =>
  field.editable_by_user !== false || now().people.own["is_admin"] === true;

function Field({ field, value }: { field: ProfileField; value: string }) {
  const save = (given: Value) =>
    sayOfMyself(sync, { data: [{ id: field.id, value: given === "" ? null : given }] });
  if (field.type === PEOPLE) {
    return <PeopleField label={field.name} value={value} save={save} />;
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

interface Chosen {
  field: ProfileField;
  value: string;
  save: (value: Value) => Promise<unknown>;
}

function Choice({ field: { name, field_data }, value, save }: Chosen) {
  const id = useId();
  const { refusal, send } = useSending();
  const choices = JSON.parse(field_data || "{}") as Record<string, { text: string }>;
  return (
    <div class="settings-field">
      <label for={id}>
        <bdi>{name}</bdi>
      </label>
      <span class="field">
        <select
          id={id}
          value={value}
          aria-invalid={refusal.value !== ""}
          aria-describedby={`${id}-refusal`}
          onChange={({ currentTarget }) => void send(() => save(currentTarget.value))}
        >
          <option value="">{say("nothing-chosen")}</option>
          {Object.entries(choices).map(([key, { text }]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      </span>
      <Refusal id={`${id}-refusal`} words={refusal.value} />
    </div>
  );
}

interface Kept {
  label: string;
  value: string;
  hint?: string;
  type?: "text" | "date" | "url";
  maxLength?: number | undefined;
  save: (value: Value) => Promise<unknown>;
}

/** Saved when one leaves it, with the way back; what is refused stays as it was typed. */
function Saved({ label, value, hint = "", type = "text", maxLength, save }: Kept) {
  const text = useSignal(value);
  const known = useSignal(value);
  known.value = value;
  const { refusal, send } = useSending();
  // Shows changes from other devices.
  useSignalEffect(() => {
    text.value = known.value;
  });
  // Saves when the page closes, since the field does not lose the focus then.
  useEffect(
    () => () => {
      const isLeft = text.peek() !== known.peek() && refusal.peek() === "";
      if (isLeft) void attempt(() => save(text.peek()));
    },
    [],
  );
  const keep = async () => {
    const before = value;
    if (text.value === before || !(await send(() => save(text.value)))) return;
    showToast({ words: say("settings-saved"), undo: () => void attempt(() => save(before)) });
  };
  return (
    <TextField
      label={label}
      value={text}
      refusal={refusal.value}
      type={type}
      placeholder={hint}
      {...(maxLength !== undefined && { maxLength })}
      onChange={() => void keep()}
    />
  );
}
