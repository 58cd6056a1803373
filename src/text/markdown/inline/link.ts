// Creates a link, and records it for previews and attachments.
import { uploadPathId } from "../addresses.ts";
import type { FoundLink } from "../findings.ts";
import { element } from "../tree.ts";
import type { Element, Node } from "../tree.ts";
import type { Passage } from "./patterns.ts";

interface NewLink {
  href: string;
  words: Node[];
  /** The link's text is its URL. */
  isBare: boolean;
  title?: string | undefined;
}

export function link(context: Passage, newLink: NewLink): Element {
  const { href, words, isBare, title } = newLink;
  const anchor = element("a", title === undefined ? { href } : { href, title }, words);
  const path_id = uploadPathId(href);
  if (path_id !== undefined) context.findings.uploads.add(path_id);
  noteLink(context, anchor, { url: href, isBare });
  return anchor;
}

export function noteLink(
  { findings, quoted }: Passage,
  anchor: Element,
  foundLink: FoundLink,
): void {
  findings.has_link = true;
  if (!quoted) findings.links.set(anchor, foundLink);
}
