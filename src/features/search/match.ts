// A message as a search shows it: what was searched for is marked in it.
import type { Message } from "../../records-messages.ts";
import { highlightedHtml, highlightedText } from "../../text/highlight.ts";
import { escapeLiteral } from "../../text/markdown/serialize.ts";
import type { Sought } from "../../text/sought.ts";
import { renderedOf } from "../messages/wire.ts";

/** Both are HTML. */
export interface Match {
  match_content: string;
  match_subject: string;
}

const NOTHING: Sought = { words: [], phrases: [], compounds: [] };

export function matchOf(message: Message, topic: string, sought: Sought = NOTHING): Match {
  const html = renderedOf(message);
  const match = (asParts: boolean): Match => ({
    match_content: highlightedHtml(html, sought, asParts),
    match_subject: highlightedText(topic, sought, asParts),
  });
  const whole = match(false);
  const isMarked = whole.match_content !== html || whole.match_subject !== escapeLiteral(topic);
  // Where no word is the one that was searched for, some word holds it.
  return isMarked || sought === NOTHING ? whole : match(true);
}
