// A message as a search shows it: what was searched for is marked in it.
import type { Reader } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import { highlightedHtml, highlightedText } from "../../text/highlight.ts";
import { escapeLiteral } from "../../text/markdown/serialize.ts";
import type { Sought } from "../../text/search/sought.ts";
import { renderedOf } from "../messages/wire.ts";

/** Both are HTML. */
export interface Match {
  match_content: string;
  match_subject: string;
}

const NOTHING: Sought = { words: [], phrases: [], compounds: [] };

export function matchOf(
  reader: Reader,
  message: Message,
  topic: string,
  sought: Sought = NOTHING,
): Match {
  const html = renderedOf(reader, message);
  const match = (asParts: boolean): Match => ({
    match_content: highlightedHtml(html, sought, asParts),
    match_subject: highlightedText(topic, sought, asParts),
  });
  const whole = match(false);
  const isMarked = whole.match_content !== html || whole.match_subject !== escapeLiteral(topic);
  // Where no word is the one that was searched for, some word holds it.
  return isMarked || sought === NOTHING ? whole : match(true);
}
