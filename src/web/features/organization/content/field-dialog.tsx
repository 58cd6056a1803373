// The dialog for a profile field: its name, type and options.
import { type Signal, useSignal } from "@preact/signals";
import {
  ACCOUNT,
  CHOICE,
  DATE,
  FIELD_HINT_LENGTH_MAX,
  FIELD_NAME_LENGTH_MAX,
  LINK,
  LONG_TEXT,
  PEOPLE,
  PRONOUNS,
  SHORT_TEXT,
} from "../../../../features/profile/rules.ts";
import { addField, editField } from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { getState } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { useCloseLayer } from "../../../ui/layers.ts";
import { t, type TextKey } from "../../../words/words.ts";
import type { ProfileField } from "../../people/state.ts";
import { Refusal, TextField, useSending } from "../../../ui/form/form.tsx";
import { isAdministrator } from "../permissions.ts";

export const FIELD_ID = "profile-field";

export type Field = ProfileField;

export const TYPE_WORDS: Readonly<Record<number, TextKey>> = {
  [SHORT_TEXT]: "org-field-short",
  [LONG_TEXT]: "org-field-long",
  [CHOICE]: "org-field-choice",
  [DATE]: "org-field-date",
  [LINK]: "link",
  [PEOPLE]: "org-people",
  [ACCOUNT]: "org-field-account",
  [PRONOUNS]: "org-field-pronouns",
};
const CUSTOM = "custom";
const CHOICES_WRONG = "choices-wrong";

const FLAGS = [
  ["required", "org-field-is-required"],
  ["editable_by_user", "org-field-is-editable"],
  ["display_in_profile_summary", "org-field-in-summary"],
  ["use_for_user_matching", "org-field-for-matching"],
] as const satisfies readonly (readonly [string, TextKey])[];
type FieldFlag = (typeof FLAGS)[number][0];

type FieldChoiceData = Record<string, { text: string; order: string } | string>;

interface FieldDraft {
  type: Signal<number>;
  name: Signal<string>;
  hint: Signal<string>;
  choices: Signal<string>;
  /** For external accounts: the site. */
  subtype: Signal<string>;
  pattern: Signal<string>;
  flags: Signal<Readonly<Record<FieldFlag, boolean>>>;
}

function useDraft(field: Field | undefined, data: FieldChoiceData): FieldDraft {
  return {
    type: useSignal(field?.type ?? SHORT_TEXT),
    name: useSignal(field?.name ?? ""),
    hint: useSignal(field?.hint ?? ""),
    choices: useSignal(
      choicesIn(data)
        .map(([, text]) => text)
        .join("\n"),
    ),
    subtype: useSignal(String(data["subtype"] ?? "")),
    pattern: useSignal(String(data["url_pattern"] ?? "")),
    flags: useSignal({
      required: field?.required ?? false,
      editable_by_user: field?.editable_by_user ?? true,
      display_in_profile_summary: field?.display_in_profile_summary ?? false,
      use_for_user_matching: field?.use_for_user_matching ?? false,
    }),
  };
}

/** Known sites have a fixed name. */
const isNamed = ({ type, subtype }: FieldDraft) =>
  type.value === ACCOUNT && subtype.value !== CUSTOM;

const FIELDS = { name: ["name"], hint: ["hint"], data: ["field_data"] };

export function EditField({ field }: { field?: Field }) {
  const data: FieldChoiceData = JSON.parse(field?.field_data || "{}");
  const draft = useDraft(field, data);
  const { errorOf, isBusy, send } = useSending(FIELDS);
  const isNameless = useSignal(false);
  const close = useCloseLayer(FIELD_ID);
  const save = async () => {
    const { type, name, hint, flags } = draft;
    isNameless.value = !isNamed(draft) && name.value.trim() === "";
    if (isNameless.value) return;
    const wording = isNamed(draft) ? {} : { name: name.value, hint: hint.value };
    const params = { ...wording, field_data: dataOf(draft, data), ...flags.value };
    const call = () =>
      field
        ? editField(sync, { field_id: field.id, ...params })
        : addField(sync, { field_type: type.value, ...params });
    if (await send(call)) close();
  };
  return (
    <Dialog
      id={FIELD_ID}
      isAllowed={isAdministrator()}
      title={t(field ? "org-field-edit" : "org-field-new")}
      onSubmit={() => void save()}
      foot={
        <Button kind="primary" type="submit" disabled={isBusy.value}>
          {t("save")}
        </Button>
      }
    >
      <div class="form org-wide">
        <WordingFields draft={draft} isNew={!field} isNameless={isNameless.value} error={errorOf} />
        <Flags flags={draft.flags} />
        <Refusal text={errorOf("") || missingFieldName(draft, errorOf)} />
      </div>
    </Dialog>
  );
}

/** An error of a field that this type does not have in the form. */
function missingFieldName(draft: FieldDraft, textOf: WordingProps["error"]): string {
  const { type, subtype } = draft;
  const hasData = type.value === CHOICE || (type.value === ACCOUNT && subtype.value === CUSTOM);
  return (
    (isNamed(draft) ? textOf("name") || textOf("hint") : "") || (hasData ? "" : textOf("data"))
  );
}

interface WordingProps {
  draft: FieldDraft;
  isNew: boolean;
  /** The user tried to save it without a name. */
  isNameless: boolean;
  error: (field: keyof typeof FIELDS) => string;
}

function WordingFields({ draft, isNew, isNameless, error }: WordingProps) {
  const { type, name, hint, subtype, pattern, choices } = draft;
  return (
    <>
      {isNew && <TypeChoice type={type} subtype={subtype} />}
      {type.value === ACCOUNT && isNew && <Accounts subtype={subtype} />}
      {!isNamed(draft) && (
        <>
          <TextField
            label={t("name")}
            value={name}
            maxLength={FIELD_NAME_LENGTH_MAX}
            refusal={isNameless && name.value.trim() === "" ? t("name-missing") : error("name")}
          />
          <TextField
            label={t("org-field-hint")}
            value={hint}
            refusal={error("hint")}
            maxLength={FIELD_HINT_LENGTH_MAX}
          />
        </>
      )}
      {type.value === ACCOUNT && subtype.value === CUSTOM && (
        <TextField
          label={t("org-field-pattern")}
          value={pattern}
          refusal={error("data")}
          placeholder="https://example.com/%(username)s"
        />
      )}
      {type.value === CHOICE && <Choices choices={choices} isNew={isNew} refusal={error("data")} />}
    </>
  );
}

function Flags({ flags }: Pick<FieldDraft, "flags">) {
  return (
    <div>
      {FLAGS.map(([flag, textKey]) => (
        <label key={flag} class="org-check">
          <input
            type="checkbox"
            checked={flags.value[flag]}
            onChange={({ currentTarget }) =>
              (flags.value = { ...flags.value, [flag]: currentTarget.checked })
            }
          />
          {t(textKey)}
        </label>
      ))}
    </div>
  );
}

interface ChosenValue<T> {
  value: T;
}

function TypeChoice({ type, subtype }: Pick<FieldDraft, "type" | "subtype">) {
  return (
    <label class="settings-field">
      {t("org-field-type")}
      <span class="field">
        <select
          value={type.value}
          onChange={({ currentTarget }) => {
            type.value = Number(currentTarget.value);
            subtype.value = type.value === ACCOUNT ? CUSTOM : "";
          }}
        >
          {Object.entries(TYPE_WORDS).map(([id, textKey]) => (
            <option key={id} value={id}>
              {t(textKey)}
            </option>
          ))}
        </select>
      </span>
    </label>
  );
}

function Accounts({ subtype }: { subtype: ChosenValue<string> }) {
  const externalAccounts = getState().organization.fields.realm_default_external_accounts;
  return (
    <label class="settings-field">
      {t("org-field-site")}
      <span class="field">
        <select
          value={subtype.value}
          onChange={({ currentTarget }) => (subtype.value = currentTarget.value)}
        >
          <option value={CUSTOM}>{t("org-field-other-site")}</option>
          {Object.entries(externalAccounts ?? {}).map(([id, { text }]) => (
            <option key={id} value={id}>
              {text}
            </option>
          ))}
        </select>
      </span>
    </label>
  );
}

interface ChoicesProps {
  choices: ChosenValue<string>;
  isNew: boolean;
  refusal: string;
}

function Choices({ choices, isNew, refusal }: ChoicesProps) {
  return (
    <div>
      <label class="settings-field">
        {t("org-field-choices")}
        <span class="field">
          <textarea
            rows={5}
            value={choices.value}
            aria-invalid={refusal !== ""}
            aria-describedby={CHOICES_WRONG}
            onInput={({ currentTarget }) => (choices.value = currentTarget.value)}
          />
        </span>
        {!isNew && <small class="hint">{t("org-field-choices-hint")}</small>}
      </label>
      <Refusal id={CHOICES_WRONG} text={refusal} />
    </div>
  );
}

/** In order, as `[key, text]`. */
function choicesIn(data: FieldChoiceData): [string, string][] {
  return Object.entries(data)
    .flatMap(([key, choice]) => (typeof choice === "object" ? [{ key, ...choice }] : []))
    .sort((a, b) => Number(a.order) - Number(b.order))
    .map(({ key, text }) => [key, text]);
}

/** Existing options keep their keys, so that users keep their choices. */
function dataOf({ type, choices, subtype, pattern }: FieldDraft, before: FieldChoiceData) {
  if (type.value === ACCOUNT) {
    const custom = subtype.value === CUSTOM && { url_pattern: pattern.value };
    return { subtype: subtype.value, ...custom };
  }
  if (type.value !== CHOICE) return {};
  const keys = new Map(choicesIn(before).map(([key, text]) => [text, key]));
  let last = Math.max(-1, ...Object.keys(before).map(Number).filter(Number.isInteger));
  const lines = choices.value.split("\n").map((line) => line.trim());
  const rows = lines.filter(Boolean).map((text, index) => {
    const key = keys.get(text) ?? `${++last}`;
    return [key, { text, order: `${index + 1}` }] as const;
  });
  return Object.fromEntries(rows);
}
