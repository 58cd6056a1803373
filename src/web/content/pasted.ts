// The HTML of what was copied elsewhere, made safe: read for its sense, and never shown.
import DOMPurify, { type Config } from "dompurify";
import { CONFIG, TAGS } from "./parse.ts";

/** What other programs mark up by, besides what our server writes. */
const OTHERS = "b dd dl dt i input ins kbd s samp strike sub".split(" ");
const PASTED: Config & { RETURN_DOM_FRAGMENT: true } = {
  ...CONFIG,
  ALLOWED_TAGS: [...TAGS, ...OTHERS],
  ALLOWED_ATTR: ["alt", "checked", "class", "data-look", "href", "src", "start", "title", "type"],
  // It is no address.
  ADD_URI_SAFE_ATTR: ["data-look"],
  FORBID_CONTENTS: ["head", "script", "style", "template", "title"],
};
const ANY_TAG = /<[a-z][^<>]*>/gi;

/** Each call gives nodes of its own; what they look like is in their `data-look`. */
export function parsePasted(html: string): DocumentFragment {
  const plain = html.replace(ANY_TAG, (tag) => tag.replace(/\sstyle\s*=/gi, " data-look="));
  return DOMPurify.sanitize(plain, PASTED);
}
