// Formats a message as a quotation.

const FENCE = /`{3,}/g;

interface QuoteSource {
  user_id: number;
  full_name: string;
  /** Absolute URL of the message. */
  address: string;
  /** The message as Markdown. */
  content: string;
}

/** Mentions its sender silently. `linkText`: the text of the link to the message. */
export function quoteOf(
  { user_id, full_name, address, content }: QuoteSource,
  linkText: string,
): string {
  const longest = Math.max(2, ...[...content.matchAll(FENCE)].map(([fence]) => fence.length));
  const fence = "`".repeat(longest + 1);
  const head = `@_**${full_name}|${user_id}** [${linkText}](${address}):`;
  return `${head}\n${fence}quote\n${content}\n${fence}\n`;
}
