// Sanitizes the HTML of messages; all HTML of the server passes through it.
import DOMPurify, { type Config } from "dompurify";
import { withoutStackedMarks } from "../../text/input/combining-marks.ts";
import { LINKED } from "./schemes.ts";

export const TAGS = [
  ...["a", "audio", "blockquote", "br", "code", "del", "div", "em", "h1", "h2", "h3", "h4", "h5"],
  ...["h6", "hr", "img", "li", "ol", "p", "pre", "span", "strong", "table", "tbody", "td", "th"],
  ...["thead", "time", "tr", "ul", "video"],
  // Elements of KaTeX's MathML.
  ...["annotation", "math", "menclose", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover"],
  ...["mpadded", "mphantom", "mprescripts", "mroot", "mrow", "ms", "mspace", "msqrt", "mstyle"],
  ...["msub", "msubsup", "msup", "mtable", "mtd", "mtext", "mtr", "munder", "munderover"],
  ...["none", "semantics"],
];
const ATTRIBUTES = [
  ...["alt", "class", "controls", "data-animated", "data-code-language", "data-id"],
  ...["data-original-content-type", "data-original-dimensions", "data-original-src"],
  ...["data-original-url", "data-stream-id", "data-transcoded-image", "data-user-group-id"],
  ...[
    "data-user-id",
    "datetime",
    "href",
    "poster",
    "preload",
    "src",
    "data-style",
    "start",
    "title",
  ],
  ...["accent", "accentunder", "columnalign", "columnspacing", "depth", "display", "encoding"],
  ...["fence", "height", "linethickness", "lspace", "mathvariant", "maxsize", "minsize"],
  ...["movablelimits", "notation", "rowspacing", "rspace", "scriptlevel", "separator"],
  ...["stretchy", "symmetric", "voffset", "width", "xmlns"],
];
export const CONFIG: Config & { RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS: TAGS,
  ALLOWED_ATTR: ATTRIBUTES,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: LINKED,
  RETURN_DOM_FRAGMENT: true,
};

/** The only style that the server writes for tables; all others are removed. */
const ALIGNMENT_STYLE = /^text-align: (left|center|right);$/;
/** The image of a link preview. */
const BACKGROUND_IMAGE = /^background-image: url\("([^"\\]*)"\)$/;
const TAG = /<[a-z][^<>]*>/g;

DOMPurify.addHook("uponSanitizeAttribute", (node, data) => {
  // Other hosts could otherwise track who reads the message.
  if (data.attrName === "poster" && !isOwnAddress(data.attrValue)) data.keepAttr = false;
  if (data.attrName !== "data-style") return;
  const alignment = ALIGNMENT_STYLE.exec(data.attrValue)?.[1];
  data.keepAttr = false;
  if (alignment !== undefined) node.setAttribute("align", alignment);
  const picture = BACKGROUND_IMAGE.exec(data.attrValue)?.[1];
  if (picture !== undefined) node.setAttribute("data-picture", picture);
});

function isOwnAddress(address: string): boolean {
  try {
    return new URL(address, document.baseURI).origin === location.origin;
  } catch {
    return false;
  }
}

/** Recently sanitized HTML, oldest first, since users return to views. */
const created = new Map<string, DocumentFragment>();
const PARSED_MAX = 300;
const PARSED_LENGTH_MAX = 4000;

/** Inert nodes of the server's HTML; each call returns new ones. */
export function parseContent(html: string): DocumentFragment {
  const cached = created.get(html) ?? safe(html);
  created.delete(html);
  if (html.length > PARSED_LENGTH_MAX) return cached;
  created.set(html, cached);
  if (created.size > PARSED_MAX) created.delete(created.keys().next().value!);
  // The copy stays in the inert document of the template, so nothing in it loads yet.
  return cached.cloneNode(true) as DocumentFragment;
}

function safe(html: string): DocumentFragment {
  // Browsers reject inline styles during parsing, so they are renamed before.
  const plain = withoutStackedMarks(html).replace(TAG, (tag) =>
    tag.replaceAll(' style="', ' data-style="'),
  );
  return DOMPurify.sanitize(plain, CONFIG);
}
