// Validates full names and email addresses of accounts.
import {
  emailInvalid,
  emailTaken,
  fullNameHasInvalidCharacters,
  fullNameHasInvalidFormat,
  fullNameTaken,
  fullNameTooLong,
  fullNameTooShort,
  nameHasStackedMarks,
} from "../../contract/errors/people.ts";
import type { Reader } from "../../realm.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { hasStackedMarks, MARKS_PER_CHARACTER_MAX } from "../../text/input/combining-marks.ts";
import { normalized } from "../../text/normalize.ts";
import {
  FULL_NAME_LENGTH_MAX,
  FULL_NAME_LENGTH_MIN,
  hasMarkupCharacters,
  isEmail,
} from "../rights/rules.ts";

/** The stored name. `user_id`: the account that gets the name and may already have it. */
export function checkedName(reader: Reader, value: string, user_id?: number): string {
  const name = normalized(value.trim(), "NFC");
  const length = Array.from(name).length;
  if (length < FULL_NAME_LENGTH_MIN) throw fullNameTooShort();
  if (length > FULL_NAME_LENGTH_MAX) throw fullNameTooLong();
  if (hasMarkupCharacters(name)) throw fullNameHasInvalidCharacters();
  if (hasStackedMarks(name))
    throw nameHasStackedMarks(MARKS_PER_CHARACTER_MAX).withField("full_name");
  // Mentions use `**name|id**` to distinguish users with the same name.
  if (/\|\d+$/.test(name)) throw fullNameHasInvalidFormat();
  if (reader.settings.require_unique_names && isUsed(reader, name, user_id)) throw fullNameTaken();
  return name;
}

/** An address that no account has, ignoring case. */
export function checkedEmail(reader: Reader, value: string): string {
  const email = value.trim();
  if (!isEmail(email)) throw emailInvalid();
  if (reader.users.findBy("email", foldedAddress(email))) throw emailTaken();
  return email;
}

function isUsed(reader: Reader, name: string, user_id?: number): boolean {
  const foldedName = folded(name);
  for (const user of reader.users.range()) {
    if (user.user_id !== user_id && user.is_active && folded(user.full_name) === foldedName)
      return true;
  }
  return false;
}

function folded(name: string): string {
  return normalized(name, "NFKC").toLowerCase();
}
