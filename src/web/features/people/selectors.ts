// Values of profile fields as text.
import { ownValue } from "../../../text/input/own-value.ts";
import { ADMINISTRATOR, GUEST, MEMBER, MODERATOR, OWNER } from "../../../contract/roles.ts";
import type { Person, ProfileField } from "./state.ts";

const KIND = { short: 1, long: 2, choice: 3, date: 4, link: 5, people: 6, account: 7, pronouns: 8 };

interface ProfileText {
  id: number;
  name: string;
  text: string;
  /** Only for URL fields. */
  url?: string;
}

/** Returns the fields in the organization's order, without empty ones. */
export function filledProfileFields(
  { profile_data = {} }: Person,
  fields: readonly ProfileField[],
  nameOf: (user_id: number) => string,
): ProfileText[] {
  return fields
    .toSorted((a, b) => a.order - b.order)
    .flatMap((field) => {
      const value = profile_data[field.id]?.value;
      if (value === undefined || value === "") return [];
      return [{ id: field.id, name: field.name, ...textOf(field, value, nameOf) }];
    });
}

function textOf(
  { type, field_data }: ProfileField,
  value: string,
  nameOf: (user_id: number) => string,
): Pick<ProfileText, "text" | "url"> {
  if (type === KIND.people) return { text: peopleIn(value).map(nameOf).join(", ") };
  if (type === KIND.choice) {
    const choices = parsed<Record<string, { text?: string }>>(field_data, {});
    return { text: choices[value]?.text ?? value };
  }
  if (type === KIND.link)
    return { text: value, ...(/^https?:\/\//i.test(value) && { url: value }) };
  return { text: value };
}

/** The ids in the value of a field of people. */
export function peopleIn(value: string): readonly number[] {
  const ids = parsed<unknown>(value, []);
  return Array.isArray(ids) ? ids : [];
}

function parsed<T>(json: string, otherwise: T): T {
  try {
    return JSON.parse(json);
  } catch {
    return otherwise;
  }
}

const ROLES = {
  [OWNER]: "owner",
  [ADMINISTRATOR]: "administrator",
  [MODERATOR]: "moderator",
  [MEMBER]: "member",
  [GUEST]: "guest-role",
} as const;

type RoleWord = (typeof ROLES)[keyof typeof ROLES] | "bot-role";

export function roleWord({ role, is_bot }: Pick<Person, "role" | "is_bot">): RoleWord {
  return is_bot ? "bot-role" : (ownValue(ROLES, role) ?? "member");
}
