// Renders the HTML of a message, and shows less of it where a part of the renderer fails.
import { withoutStackedMarks } from "../../text/input/combining-marks.ts";
import { attempt } from "./catch-errors.ts";
import { enrich, type RenderContext } from "./enrich.ts";
import { parseContent } from "./parse.ts";

/**
 * Nodes of a message's HTML. If enriching throws, returns the sanitized HTML; if sanitizing throws
 * too, returns the text. Every failure is reported, so that it reaches the console.
 */
export function rendered(html: string, context: RenderContext): DocumentFragment {
  return attempt(
    () => enrich(parseContent(html), context),
    () =>
      attempt(
        () => makeInert(parseContent(html)),
        () => textOf(html),
      ),
  );
}

/** The text between the tags, without using the parsers that failed. */
export function textOf(html: string): DocumentFragment {
  const content = document.createDocumentFragment();
  const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&" };
  const text = withoutStackedMarks(html)
    .replace(/<[^<>]*>/g, " ")
    .replace(/&(lt|gt|quot|amp);/g, (_, name: string) => entities[name]!);
  content.append(text.replace(/\s+/g, " ").trim());
  return content;
}

/** Removes what `enrich` would have secured: loading of media, and opener access. */
function makeInert(content: DocumentFragment): DocumentFragment {
  for (const node of content.querySelectorAll("[src], [poster]")) {
    node.removeAttribute("src");
    node.removeAttribute("poster");
  }
  for (const node of content.querySelectorAll("a")) {
    node.target = "_blank";
    node.rel = "noopener noreferrer";
  }
  return content;
}
