// The name of a channel, checked or refused.
import {
  channelNameEmpty,
  channelNameTooLong,
  channelNameUnprintable,
} from "../../contract/errors/channels.ts";
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
