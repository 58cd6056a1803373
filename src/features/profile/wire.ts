// Custom profile fields and their values for clients.
import { type PlainEvent, WANTS_PRONOUNS_AS_TEXT } from "../../contract/events.ts";
import type { Reader } from "../../realm.ts";
import type { ProfileValue } from "../../schema/records-people.ts";
import type { ProfileField, User } from "../../schema/records.ts";
import { inOrder } from "../realm/order-rules.ts";
import { FIELD_TYPES, PRONOUNS, SHORT_TEXT } from "./rules.ts";

export function profileFields(reader: Reader): ProfileField[] {
  return inOrder(reader.profile_fields.range());
}

export function profileFieldObjects(reader: Reader) {
  return profileFields(reader).map(
    ({ display_in_profile_summary, use_for_user_matching, ...field }) => ({
      ...field,
      ...(display_in_profile_summary && { display_in_profile_summary }),
      ...(use_for_user_matching && { use_for_user_matching }),
    }),
  );
}

export function profileFieldsSnapshot(reader: Reader, capabilities: number) {
  const fields = profileFieldObjects(reader);
  const isOld = (capabilities & WANTS_PRONOUNS_AS_TEXT) !== 0;
  return {
    custom_profile_fields: isOld ? withPronounsAsText(fields) : fields,
    custom_profile_field_types: FIELD_TYPES,
  };
}

/** Pronouns are sent as short text to clients that do not support the field type. */
export function withPronounsAsText(fields: readonly object[]): object[] {
  return (fields as readonly { type: number }[]).map((field) =>
    field.type === PRONOUNS ? { ...field, type: SHORT_TEXT } : field,
  );
}

/** The values of a user's profile fields, by field. */
export function profileData(reader: Reader, { user_id }: Pick<User, "user_id">) {
  const rows = reader.profile_values.listBy("user", user_id);
  return Object.fromEntries(rows.map((row) => [row.field_id, valueObject(row)]));
}

export function valueObject({ value, rendered_value }: ProfileValue) {
  return rendered_value === null ? { value } : { value, rendered_value };
}

export const profileFieldsChanged = (fields: readonly object[]): PlainEvent => ({
  type: "custom_profile_fields",
  fields,
});
