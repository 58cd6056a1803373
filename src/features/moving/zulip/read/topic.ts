// Converts topic names of an export.
import { writtenName } from "../../../../text/input/normalize-name.ts";
import { replaceUnprintable } from "../../../channels/rules.ts";
import { topicName } from "../../../messages/topic.ts";

/** Since version 11, direct messages have a control character as their topic. */
export function topicIn(text: string): string {
  if (text === "\u0007") return "";
  return topicName(replaceUnprintable(writtenName(text)));
}
