// Validates channel names.
import {
  channelNameEmpty,
  channelNameTooLong,
  channelNameUnprintable,
} from "../../contract/errors/channels.ts";
import { nameHasStackedMarks } from "../../contract/errors/people.ts";
import { hasStackedMarks, MARKS_PER_CHARACTER_MAX } from "../../text/input/combining-marks.ts";
import { writtenName } from "../../text/input/normalize-name.ts";
import { CHANNEL_NAME_LENGTH_MAX, foldedName, unprintableIndex } from "./rules.ts";

/** The name without surrounding white space. */
export function checkedName(value: string): string {
  const name = writtenName(value).trim();
  if (foldedName(name) === "") throw channelNameEmpty();
  if ([...name].length > CHANNEL_NAME_LENGTH_MAX) throw channelNameTooLong(CHANNEL_NAME_LENGTH_MAX);
  const position = unprintableIndex(name);
  if (position > 0) throw channelNameUnprintable(position);
  return name;
}

/**
 * Validates the name of a new or renamed channel. Existing channels may have older, invalid names.
 */
export function checkedNewName(value: string): string {
  const name = checkedName(value);
  if (hasStackedMarks(name)) throw nameHasStackedMarks(MARKS_PER_CHARACTER_MAX).withField("name");
  return name;
}
