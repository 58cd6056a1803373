// The name of a channel, checked or refused.
import {
  channelNameEmpty,
  channelNameTooLong,
  channelNameUnprintable,
} from "../../contract/errors/channels.ts";
import { nameHasStackedMarks } from "../../contract/errors/people.ts";
import { hasStackedMarks, MARKS_PER_CHARACTER_MAX } from "../../text/input/combining-marks.ts";
import { writtenName } from "../../text/input/written-name.ts";
import { CHANNEL_NAME_LENGTH_MAX, foldedName, unprintableAt } from "./rules.ts";

/** The name without what surrounds it. */
export function checkedName(given: string): string {
  const name = writtenName(given).trim();
  if (foldedName(name) === "") throw channelNameEmpty();
  if ([...name].length > CHANNEL_NAME_LENGTH_MAX) throw channelNameTooLong(CHANNEL_NAME_LENGTH_MAX);
  const position = unprintableAt(name);
  if (position > 0) throw channelNameUnprintable(position);
  return name;
}

/** The name of a new channel, or a new name. Older channels are still found by what they have. */
export function checkedNewName(given: string): string {
  const name = checkedName(given);
  if (hasStackedMarks(name)) throw nameHasStackedMarks(MARKS_PER_CHARACTER_MAX);
  return name;
}
