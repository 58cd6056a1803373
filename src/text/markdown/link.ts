// Makes a link and notes it down for previews and attachments.
import { uploadPathId } from "./addresses.ts";
import type { Passage } from "./inline.ts";
import { element } from "./tree.ts";
import type { Element, Node } from "./tree.ts";

export interface NewLink {
  href: string;
  words: Node[];
  /** The words are the address. */
  bare: boolean;
  title?: string | undefined;
}

export function link({ findings, quoted }: Passage, made: NewLink): Element {
  const { href, words, bare, title } = made;
  const anchor = element("a", title === undefined ? { href } : { href, title }, words);
  findings.has_link = true;
  const path_id = uploadPathId(href);
  if (path_id !== undefined) findings.uploads.add(path_id);
  if (!quoted) findings.links.set(anchor, { url: href, bare });
  return anchor;
}
