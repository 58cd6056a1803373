// Checks the full name and the address that an account is to have.
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
import { normalized } from "../../text/normalized.ts";
import {
  FULL_NAME_LENGTH_MAX,
  FULL_NAME_LENGTH_MIN,
  hasMarkupCharacters,
  isEmail,
} from "../rights/rules.ts";

/** The name as it is kept. `user_id`: of whose name it is to be, who may keep it. */
export function checkedName(reader: Reader, given: string, user_id?: number): string {
  const name = normalized(given.trim(), "NFC");
  const length = Array.from(name).length;
  if (length < FULL_NAME_LENGTH_MIN) throw fullNameTooShort();
  if (length > FULL_NAME_LENGTH_MAX) throw fullNameTooLong();
  if (hasMarkupCharacters(name)) throw fullNameHasInvalidCharacters();
  if (hasStackedMarks(name)) throw nameHasStackedMarks(MARKS_PER_CHARACTER_MAX);
  // Mentions write `**name|id**` to tell namesakes apart.
  if (/\|\d+$/.test(name)) throw fullNameHasInvalidFormat();
  if (reader.settings.require_unique_names && isTaken(reader, name, user_id)) throw fullNameTaken();
  return name;
}

/** An address that nobody has, in any letter case. */
export function checkedEmail(reader: Reader, given: string): string {
  const email = given.trim();
  if (!isEmail(email)) throw emailInvalid();
  if (reader.users.one("email", foldedAddress(email))) throw emailTaken();
  return email;
}

function isTaken(reader: Reader, name: string, user_id?: number): boolean {
  const wanted = folded(name);
  for (const user of reader.users.range()) {
    if (user.user_id !== user_id && user.is_active && folded(user.full_name) === wanted)
      return true;
  }
  return false;
}

function folded(name: string): string {
  return normalized(name, "NFKC").toLowerCase();
}
