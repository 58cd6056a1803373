// Results of rendering a message, in addition to its HTML.
import type { Element } from "./tree.ts";

export class Findings {
  users = new Set<number>();
  groups = new Set<number>();
  stream_wildcard = false;
  topic_wildcard = false;
  has_link = false;
  has_image = false;
  uploads = new Set<string>();
  /** Links outside of quotes, which may get a preview. */
  links = new Map<Element, FoundLink>();
}

export interface FoundLink {
  url: string;
  /** The link's text is its URL. */
  isBare: boolean;
}
