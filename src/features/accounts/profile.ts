// Values of profile fields, set by users or administrators.
import Type from "typebox";
import { tooMany } from "../../contract/errors/channels.ts";
import {
  profileFieldInvalid,
  profileLinkInvalid,
  profileFieldNotEditable,
  profileFieldNotFound,
} from "../../contract/errors/realm.ts";
import { nothing } from "../../contract/shapes/value-types.ts";
import { endpoint, json } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { ProfileField, User } from "../../schema/records.ts";
import { renderedDescription } from "../messages/content/description.ts";
import { isKnown } from "../people/access.ts";
import { userUpdated } from "../people/wire.ts";
import { choiceKeys } from "../profile/data.ts";
import {
  CHOICE,
  DATE,
  isDate,
  isLink,
  isMarkdown,
  LINK,
  PEOPLE,
  PEOPLE_MAX,
  VALUE_LENGTHS_MAX,
} from "../profile/rules.ts";
import { valueObject } from "../profile/wire.ts";
import { isAdministrator, isBot } from "../rights/rules.ts";

export interface ProfileEntry {
  id: number;
  /** null removes the value. */
  value: string | readonly number[] | null;
}

/**
 * `user_id`: the profile's user. All values are validated before any is stored. Of several values
 * for one field, the last counts.
 */
export function setProfileValues(
  tx: Writer,
  actingUser: User,
  user_id: number,
  profileEntries: readonly ProfileEntry[],
): void {
  const entries = new Map(profileEntries.map(({ id, value }) => [id, value]));
  const checked = [...entries].map(([id, value]) => {
    const field = accessField(tx, actingUser, id);
    const text = checkedValue(tx, actingUser, field, value);
    const rendered_value = isMarkdown(field.type)
      ? renderedDescription(tx, actingUser, text)
      : null;
    return { user_id, field_id: id, value: text, rendered_value };
  });

  for (const row of checked) {
    const { field_id, value } = row;
    if (tx.profile_values.get(user_id, field_id)?.value === value) continue;
    if (value === "") {
      eraseValue(tx, user_id, field_id);
      continue;
    }
    tx.profile_values.put(row);
    const custom_profile_field = { id: field_id, ...valueObject(row) };
    tx.emit(userUpdated(user_id, { custom_profile_field }), { to: "seers", user_id });
  }
}

/** Deletes the user's value of a custom profile field. Does nothing if there is none. */
export function eraseValue(tx: Writer, user_id: number, field_id: number): void {
  if (!tx.profile_values.has(user_id, field_id)) return;
  tx.profile_values.delete(user_id, field_id);
  const custom_profile_field = { id: field_id, value: null };
  tx.emit(userUpdated(user_id, { custom_profile_field }), { to: "seers", user_id });
}

export const setProfileValue = json(
  Type.Array(
    Type.Object({
      id: Type.Integer(),
      value: Type.Union([Type.String(), Type.Array(Type.Integer()), Type.Null()]),
    }),
  ),
);

export const patchProfileData = endpoint({
  summary: "Set values of your profile fields",
  tag: "People",
  params: { data: setProfileValue },
  answer: nothing,
  run: async ({ realm, user }, { data }) => {
    await realm.write((tx) => setProfileValues(tx, user, user.user_id, data));
    return {};
  },
});

export const deleteProfileData = endpoint({
  summary: "Clear values of your profile fields",
  tag: "People",
  params: { data: json(Type.Array(Type.Integer())) },
  answer: nothing,
  run: async ({ realm, user }, { data }) => {
    const emptyValues = data.map((id) => ({ id, value: null }));
    await realm.write((tx) => setProfileValues(tx, user, user.user_id, emptyValues));
    return {};
  },
});

function accessField(reader: Reader, actingUser: User, id: number): ProfileField {
  const field = reader.profile_fields.get(id);
  if (!field) throw profileFieldNotFound(id);
  if (!field.editable_by_user && !isAdministrator(actingUser)) throw profileFieldNotEditable();
  return field;
}

/** Returns the stored form; "" for no value. */
function checkedValue(
  reader: Reader,
  actingUser: User,
  field: ProfileField,
  value: ProfileEntry["value"],
): string {
  const { type, name } = field;
  if (value === null || value.length === 0) return "";
  if (type === PEOPLE) {
    if (typeof value === "string") throw profileFieldInvalid(`${name} is not a list`);
    return JSON.stringify(checkedPeople(reader, actingUser, value));
  }
  if (typeof value !== "string") throw profileFieldInvalid(`${name} is not a string`);
  const text = value.trim();
  if (text === "") return "";
  const limit = VALUE_LENGTHS_MAX[type];
  if (limit !== undefined && [...text].length > limit) {
    throw profileFieldInvalid(`${name} is too long (limit: ${limit} characters)`);
  }
  if (type === CHOICE && !choiceKeys(field.field_data).includes(text)) {
    throw profileFieldInvalid(`'${text}' is not a valid choice for '${name}'.`);
  }
  if (type === DATE && !isDate(text)) throw profileFieldInvalid(`${name} is not a date`);
  if (type === LINK && !isLink(text)) throw profileLinkInvalid(name);
  return text;
}

/** Each user once. */
function checkedPeople(reader: Reader, actingUser: User, user_ids: readonly number[]): number[] {
  const unique = [...new Set(user_ids)];
  if (unique.length > PEOPLE_MAX) throw tooMany("users in a profile field", PEOPLE_MAX);
  const unknown = unique.filter((id) => !isKnown(reader, actingUser, id));
  if (unknown.length > 0) throw profileFieldInvalid(`Invalid user IDs: ${unknown.join(", ")}`);
  for (const user_id of unique) {
    const user = reader.users.get(user_id)!;
    if (!user.is_active) throw profileFieldInvalid(`User with ID ${user_id} is deactivated`);
    if (isBot(user)) throw profileFieldInvalid(`User with ID ${user_id} is a bot`);
  }
  return unique;
}
