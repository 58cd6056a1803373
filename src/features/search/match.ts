// Highlights the search terms in a message.
import type { Reader } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import { highlightedHtml, highlightedText } from "../../text/highlight.ts";
import { escapeLiteral } from "../../text/markdown/serialize.ts";
import type { ParsedQuery } from "../../text/search/query.ts";
import { renderedOf } from "../messages/wire.ts";

/** Both are HTML. */
export interface Match {
  match_content: string;
  match_subject: string;
}

const NONE: ParsedQuery = {
  words: [],
  hasOnlyStopWords: false,
  unquoted: [],
  phrases: [],
  compounds: [],
};

export function matchOf(
  reader: Reader,
  message: Message,
  topic: string,
  query: ParsedQuery = NONE,
): Match {
  const html = renderedOf(reader, message);
  const match = (marked: ParsedQuery, asParts: boolean): Match => ({
    match_content: highlightedHtml(html, marked, asParts),
    match_subject: highlightedText(topic, marked, asParts),
  });
  const isMarked = ({ match_content, match_subject }: Match) =>
    match_content !== html || match_subject !== escapeLiteral(topic);
  const phrases = match({ ...query, words: query.unquoted }, false);
  if (isMarked(phrases) || query === NONE) return phrases;
  // A phrase that formatting divides is highlighted by its words.
  const words = match(query, false);
  // If no word equals the search term, highlights words that contain it.
  return isMarked(words) ? words : match(query, true);
}
