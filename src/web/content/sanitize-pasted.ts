// Sanitizes pasted HTML, which is converted to Markdown and never displayed.
import DOMPurify, { type Config } from "dompurify";
import { CONFIG, TAGS } from "./parse.ts";
import { normalizePasted } from "./normalize-pasted.ts";

/** Elements of other programs that this server's HTML does not contain. */
const OTHER_TAGS =
  "b dd dl dt i input ins kbd mjx-container relative-time s samp strike sub sup".split(" ");
const PASTED_CONFIG: Config & { RETURN_DOM_FRAGMENT: true } = {
  ...CONFIG,
  ALLOWED_TAGS: [...TAGS, ...OTHER_TAGS],
  ALLOWED_ATTR: [
    ...["alt", "alttext", "aria-checked", "aria-label", "checked", "class", "data-look"],
    ...["data-on", "datetime", "display", "encoding", "height", "hidden", "href"],
    ...["role", "src", "start", "title", "type", "width"],
  ],
  // `data-look` contains a style and not a URL.
  ADD_URI_SAFE_ATTR: ["data-look"],
  FORBID_CONTENTS: ["head", "script", "style", "template", "title"],
};
/** Parsing them would make the browser report a violation of the page's policy. */
const SHEETS_AND_SCRIPTS = /<(style|script)\b[^]*?<\/\1\s*>/gi;
const ANY_TAG = /<[a-z][^<>]*>/gi;

/** Returns new nodes on each call, with their `style` in `data-look`. */
export function parsePasted(html: string): DocumentFragment {
  const stripped = html.replace(SHEETS_AND_SCRIPTS, "");
  const plain = stripped.replace(ANY_TAG, (tag) => tag.replace(/\sstyle\s*=/gi, " data-look="));
  return normalizePasted(DOMPurify.sanitize(plain, PASTED_CONFIG));
}
