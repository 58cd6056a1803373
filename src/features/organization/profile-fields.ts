// Creates, changes, reorders and deletes the profile fields of an organization.
import { Refusal } from "../../contract/errors/general.ts";
import { nameHasStackedMarks } from "../../contract/errors/people.ts";
import { hasStackedMarks, MARKS_PER_CHARACTER_MAX } from "../../text/input/combining-marks.ts";
import Type from "typebox";
import { orderInvalid, tooLong, tooMany } from "../../contract/errors/channels.ts";
import {
  profileFieldFixed,
  profileFieldInvalid,
  profileFieldNotFound,
} from "../../contract/errors/realm.ts";
import { list, nothing } from "../../contract/shapes/value-types.ts";
import { profileFieldShape } from "../../contract/shapes/organization.ts";
import { bool, defaulted, endpoint, int, json, line, optional, text } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { ProfileField } from "../../schema/records.ts";
import { eraseValue } from "../accounts/profile.ts";
import { checkedData, choiceKeys, defaultAccountOf } from "../profile/data.ts";
import {
  CHOICE,
  FIELD_HINT_LENGTH_MAX,
  FIELD_NAME_LENGTH_MAX,
  FIELDS_IN_SUMMARY_MAX,
  isFieldType,
  PEOPLE,
  PROFILE_FIELDS_MAX,
} from "../profile/rules.ts";
import { profileFieldObjects, profileFields, profileFieldsChanged } from "../profile/wire.ts";
import { isOrderOf, lastPlace } from "../realm/order-rules.ts";

type Data = Readonly<Record<string, unknown>>;
type NewField = Omit<ProfileField, "id" | "order" | "field_data"> & { field_data: Data };

function createProfileField(tx: Writer, newField: NewField): number {
  if (!isFieldType(newField.type)) throw profileFieldInvalid("Invalid field type.");
  const field_data = Refusal.inField("field_data", () =>
    checkedData(newField.type, newField.field_data),
  );
  // A default external account has a fixed name and hint.
  const fixed = defaultAccountOf(newField.type, field_data);
  const name = checkedName(tx, fixed?.name ?? newField.name);
  const hint = checkedHint(fixed?.hint ?? newField.hint);
  checkSummary(tx, newField);
  const count = tx.profile_fields.count();
  if (count >= PROFILE_FIELDS_MAX) throw tooMany("profile fields", PROFILE_FIELDS_MAX);

  const id = tx.next("profile_fields");
  const order = lastPlace(tx.profile_fields.range());
  tx.profile_fields.put({ ...newField, id, order, name, hint, field_data });
  emitProfileFields(tx);
  return id;
}

type FieldChange = Partial<Omit<NewField, "type">>;

function changeProfileField(tx: Writer, id: number, requested: FieldChange): void {
  const before = accessField(tx, id);
  const { field_data: data, ...otherFields } = requested;
  const field_data = data
    ? Refusal.inField("field_data", () => checkedData(before.type, data))
    : before.field_data;
  const after = { ...before, ...otherFields, field_data };
  after.name = requested.name === undefined ? before.name : checkedName(tx, requested.name, id);
  after.hint = checkedHint(after.hint);
  const isFixed = defaultAccountOf(before.type, before.field_data) !== undefined;
  const parts = ["name", "hint", "field_data"] as const;
  if (isFixed && parts.some((part) => after[part] !== before[part])) throw profileFieldFixed();
  checkSummary(tx, after, id);

  if (JSON.stringify(after) === JSON.stringify(before)) return;
  if (before.type === CHOICE) eraseRemovedOptions(tx, id, choiceKeys(field_data));
  tx.profile_fields.put(after);
  emitProfileFields(tx);
}

/** Deletes the field with all values of users. */
function deleteProfileField(tx: Writer, id: number): void {
  accessField(tx, id);

  for (const { user_id } of tx.profile_values.listBy("field", id)) {
    tx.profile_values.delete(user_id, id);
  }
  tx.profile_fields.delete(id);
  emitProfileFields(tx);
}

function orderProfileFields(tx: Writer, ids: readonly number[]): void {
  const fields = profileFields(tx);
  if (!isOrderOf(ids, fields)) throw orderInvalid();

  if (fields.every(({ id }, index) => id === ids[index])) return;
  for (const [order, id] of ids.entries()) {
    tx.profile_fields.put({ ...tx.profile_fields.get(id)!, order });
  }
  emitProfileFields(tx);
}

function emitProfileFields(tx: Writer): void {
  tx.emit(profileFieldsChanged(profileFieldObjects(tx)), { to: "realm" });
}

/** Deletes values that are no longer an option. */
function eraseRemovedOptions(tx: Writer, field_id: number, keys: readonly string[]): void {
  const profileValues = tx.profile_values
    .listBy("field", field_id)
    .filter((row) => !keys.includes(row.value));
  for (const { user_id } of profileValues) eraseValue(tx, user_id, field_id);
}

const data = json(Type.Record(Type.String(), Type.Unknown()));

export const getProfileFields = endpoint({
  summary: "List the custom profile fields",
  tag: "Organization",
  params: {},
  answer: Type.Object({ custom_fields: list(profileFieldShape) }),
  run: ({ realm }) => ({ custom_fields: profileFieldObjects(realm.read) }),
});

export const postProfileField = endpoint({
  summary: "Add a custom profile field",
  tag: "Organization",
  params: {
    field_type: int,
    name: defaulted(line, ""),
    hint: defaulted(text, ""),
    field_data: defaulted(data, {}),
    display_in_profile_summary: defaulted(bool, false),
    required: defaulted(bool, false),
    editable_by_user: defaulted(bool, true),
    use_for_user_matching: defaulted(bool, false),
  },
  answer: Type.Object({ id: Type.Integer() }),
  run: ({ realm }, { field_type, ...wanted }) =>
    realm.write((tx) => ({ id: createProfileField(tx, { type: field_type, ...wanted }) })),
});

export const patchProfileField = endpoint({
  summary: "Change a custom profile field",
  tag: "Organization",
  params: {
    field_id: int,
    name: optional(line),
    hint: optional(text),
    field_data: optional(data),
    display_in_profile_summary: optional(bool),
    required: optional(bool),
    editable_by_user: optional(bool),
    use_for_user_matching: optional(bool),
  },
  answer: nothing,
  run: async ({ realm }, { field_id, ...input }) => {
    const requested = Object.fromEntries(
      Object.entries(input).filter(([, value]) => value !== undefined),
    ) as FieldChange;
    await realm.write((tx) => changeProfileField(tx, field_id, requested));
    return {};
  },
});

export const removeProfileField = endpoint({
  summary: "Remove a custom profile field",
  tag: "Organization",
  params: { field_id: int },
  answer: nothing,
  run: async ({ realm }, { field_id }) => {
    await realm.write((tx) => deleteProfileField(tx, field_id));
    return {};
  },
});

export const patchProfileFieldOrder = endpoint({
  summary: "Set the order of custom profile fields",
  tag: "Organization",
  params: { order: json(Type.Array(Type.Integer())) },
  answer: nothing,
  run: async ({ realm }, { order }) => {
    await realm.write((tx) => orderProfileFields(tx, order));
    return {};
  },
});

function accessField(reader: Reader, id: number): ProfileField {
  const field = reader.profile_fields.get(id);
  if (!field) throw profileFieldNotFound(id);
  return field;
}

/** `id`: the field that is renamed; undefined for a new field. */
function checkedName(reader: Reader, value: string, id?: number): string {
  const name = value.trim();
  if (name === "") throw profileFieldInvalid("Label cannot be blank.").withField("name");
  if ([...name].length > FIELD_NAME_LENGTH_MAX) throw tooLong("name", FIELD_NAME_LENGTH_MAX);
  if (hasStackedMarks(name)) throw nameHasStackedMarks(MARKS_PER_CHARACTER_MAX).withField("name");
  const duplicate = profileFields(reader).find((field) => field.name === name);
  if (duplicate && duplicate.id !== id) {
    throw profileFieldInvalid("A field with that label already exists.").withField("name");
  }
  return name;
}

function checkedHint(value: string): string {
  const hint = value.trim();
  if ([...hint].length > FIELD_HINT_LENGTH_MAX) throw tooLong("hint", FIELD_HINT_LENGTH_MAX);
  return hint;
}

type SummaryField = Pick<ProfileField, "type" | "display_in_profile_summary">;

function checkSummary(reader: Reader, field: SummaryField, id?: number): void {
  if (!field.display_in_profile_summary) return;
  if (field.type === PEOPLE) {
    throw profileFieldInvalid("Field type not supported for display in profile summary.");
  }
  const summaryFields = profileFields(reader).filter(
    (profileField) => profileField.display_in_profile_summary,
  );
  if (summaryFields.filter((other) => other.id !== id).length < FIELDS_IN_SUMMARY_MAX) return;
  throw profileFieldInvalid(
    "Only 2 custom profile fields can be displayed in the profile summary.",
  );
}
