// Tests a linkifier on a text with the server's engine and rules; loaded on demand.
import { faultsOf } from "../../../../features/linkifiers/rules.ts";
import { linkified } from "../../../../text/linkifiers.ts";

interface TriedLinkifier {
  pattern: string;
  url_template: string;
  text: string;
}

interface TextPart {
  text: string;
  /** URL of a part that becomes a link. */
  url?: string;
}

export function testLinkifier({
  text,
  ...linkifier
}: TriedLinkifier): { fault: string } | { parts: TextPart[] } {
  const rest = { example_input: null, reverse_template: null, alternative_url_templates: [] };
  const [fault] = Object.values(faultsOf({ ...linkifier, ...rest })).flat();
  if (fault !== undefined) return { fault };
  const segments: TextPart[] = [];
  let from = 0;
  for (const { start, end, url } of linkified(text, linkifier)) {
    if (start > from) segments.push({ text: text.slice(from, start) });
    segments.push({ text: text.slice(start, end), url });
    from = end;
  }
  if (from < text.length) segments.push({ text: text.slice(from) });
  return { parts: segments };
}
