// What clients see of profile fields, and of what people say in them.
import type { PlainEvent } from "../../events.ts";
import type { Reader } from "../../realm.ts";
import type { ProfileValue } from "../../records-people.ts";
import type { ProfileField, User } from "../../records.ts";
import { inOrder } from "../realm/order.ts";
import { FIELD_TYPES } from "./rules.ts";

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

export function profileFieldsSnapshot(reader: Reader) {
  return {
    custom_profile_fields: profileFieldObjects(reader),
    custom_profile_field_types: FIELD_TYPES,
  };
}

/** By field. */
export function profileData(reader: Reader, { user_id }: Pick<User, "user_id">) {
  const rows = reader.profile_values.by("user", user_id);
  return Object.fromEntries(rows.map((row) => [row.field_id, valueObject(row)]));
}

export function valueObject({ value, rendered_value }: ProfileValue) {
  return rendered_value === null ? { value } : { value, rendered_value };
}

export const profileFieldsChanged = (fields: readonly object[]): PlainEvent => ({
  type: "custom_profile_fields",
  fields,
});
