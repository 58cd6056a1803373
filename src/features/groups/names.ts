// Validates the name and description of a user group.
import { nameHasStackedMarks } from "../../contract/errors/people.ts";
import { hasStackedMarks, MARKS_PER_CHARACTER_MAX } from "../../text/input/combining-marks.ts";
import {
  groupNameBegins,
  groupNameEmpty,
  groupNameTaken,
  groupNameTooLong,
  tooLong,
} from "../../contract/errors/channels.ts";
import type { Reader } from "../../realm.ts";
import { comparedName } from "../../text/compare-names.ts";
import {
  GROUP_DESCRIPTION_LENGTH_MAX,
  GROUP_NAME_LENGTH_MAX,
  RESERVED_BEGINNINGS,
} from "./rules.ts";

/**
 * Returns the name as it is stored. `group_id`: the group that is renamed, which may already have
 * the name.
 */
export function checkedGroupName(reader: Reader, value: string, group_id?: number): string {
  const name = value.trim();
  const compared = comparedName(name);
  if (compared === "") throw groupNameEmpty();
  if (Array.from(name).length > GROUP_NAME_LENGTH_MAX) {
    throw groupNameTooLong(GROUP_NAME_LENGTH_MAX);
  }
  if (hasStackedMarks(name)) throw nameHasStackedMarks(MARKS_PER_CHARACTER_MAX).withField("name");
  const reserved = RESERVED_BEGINNINGS.find((beginning) => compared.startsWith(beginning));
  if (reserved !== undefined) throw groupNameBegins(reserved);
  const sameName = reader.groups.listBy("name", compared);
  if (sameName.some(({ id }) => id !== group_id)) throw groupNameTaken(name);
  return name;
}

export function checkedGroupDescription(value: string): string {
  if (Array.from(value).length > GROUP_DESCRIPTION_LENGTH_MAX) {
    throw tooLong("description", GROUP_DESCRIPTION_LENGTH_MAX);
  }
  return value;
}
