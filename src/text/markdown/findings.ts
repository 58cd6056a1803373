// What the renderer found in a message beside its HTML.
import type { Element } from "./tree.ts";

export class Findings {
  users = new Set<number>();
  groups = new Set<number>();
  stream_wildcard = false;
  topic_wildcard = false;
  has_link = false;
  has_image = false;
  uploads = new Set<string>();
  /** Links outside quotes, which may get a preview. */
  links = new Map<Element, FoundLink>();
}

export interface FoundLink {
  url: string;
  /** Its text is its address. */
  bare: boolean;
}
