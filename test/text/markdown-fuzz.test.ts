// Every message, however unusual, renders quickly and only to HTML that clients know.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseFragment } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";
import { render, RenderTooLarge } from "../../src/text/markdown/render.ts";
import { countOf } from "../repetitions.ts";
import { CODE_CLASSES } from "./code-classes.ts";
import { context, FRAGMENTS } from "./markdown-fragments.ts";

const message = fc
  .array(fc.constantFrom(...FRAGMENTS), { maxLength: 60 })
  .map((parts) => parts.join(""));

test("every message gives only known elements, classes, attributes and schemes", () => {
  fc.assert(
    fc.property(message, (source) => {
      const { html } = render(source, context);
      check(parseFragment(html));
      return true;
    }),
    { seed: 20_311, numRuns: countOf("messages") },
  );
});

const CONTENT_MAX = 10_000;

test.each(FRAGMENTS)("%j repeated without end renders", (fragment) => {
  for (const other of ["", "a", " ", "\n"]) {
    const source = (fragment + other).repeat(CONTENT_MAX).slice(0, CONTENT_MAX);
    try {
      expect(typeof render(source, context).html).toBe("string");
    } catch (error) {
      expect(error).toBeInstanceOf(RenderTooLarge);
    }
  }
});

type Tree = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.DocumentFragment;

const SPAN = ["aria-label", "class", "data-user-id", "data-user-group-id", "role", "title"];
const ORIGINAL = ["data-animated", "data-original-content-type", "data-original-dimensions"];
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries("p br hr h1 h2 h3 h4 h5 h6 ul li".split(" ").map((tag) => [tag, []])),
  ...Object.fromEntries("blockquote table thead tbody tr".split(" ").map((tag) => [tag, []])),
  ...Object.fromEntries("strong em del code pre".split(" ").map((tag) => [tag, []])),
  ol: ["start"],
  th: ["style"],
  td: ["style"],
  time: ["datetime"],
  span: SPAN,
  div: ["aria-hidden", "class", "data-code-language"],
  a: ["class", "data-id", "data-stream-id", "href", "style", "title"],
  img: ["alt", "class", "data-original-src", "data-transcoded-image", "src", "title", ...ORIGINAL],
  audio: ["controls", "preload", "src", "title"],
  video: ["preload", "src"],
};

const CLASSES = new RegExp(
  "^(?:" +
    [
      "codehilite|spoiler-(?:block|header|content)|tex-error|katex(?:-display)?|",
      "emoji(?: emoji-[0-9a-f]{4,}(?:-[0-9a-f]{4,})*)?|stream|stream-topic|message-link|",
      "(?:user-mention(?: channel-wildcard-mention)?|topic-mention|user-group-mention)",
      "(?: silent)?|",
      "(?:youtube-video )?message_inline_image(?: message_inline_video)?|",
      "inline-image(?: image-loading-placeholder)?|image-loading-placeholder|",
      "message_embed(?:_image|_title|_description)?|data-container|",
      [...CODE_CLASSES].join("|"),
    ].join("") +
    ")$",
);
const ADDRESS =
  /^(?:\/(?!\/)|#|user_uploads\/|(?:https?|ftp|file|bitcoin|geo|mailto|tel|magnet|urn):)/;

const STYLE = /^(?:text-align: (?:left|center|right);|background-image: url\("[^"\\]*"\))$/;

function check(node: Tree) {
  if ("tagName" in node) checkElement(node);
  if (!("childNodes" in node)) {
    if (node.nodeName !== "#text") throw new Error(`unexpected ${node.nodeName}`);
    return;
  }
  if ("tagName" in node && isKatex(node)) node.childNodes.forEach(checkKatex);
  else node.childNodes.forEach(check);
}

function checkElement(node: DefaultTreeAdapterTypes.Element) {
  const allowed = ATTRIBUTES[node.tagName];
  if (allowed === undefined) throw new Error(`unexpected <${node.tagName}>`);
  for (const { name, value } of node.attrs) {
    if (!allowed.includes(name)) throw new Error(`unexpected ${name} of <${node.tagName}>`);
    if (name === "class") expect(value).toMatch(CLASSES);
    if (name === "href" || name === "src") expect(value).toMatch(ADDRESS);
    if (name === "style") expect(value).toMatch(STYLE);
    if (name === "datetime") expect(value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  }
  checkChildren(node);
}

const CHILDREN: Readonly<Record<string, RegExp>> = {
  ul: /^(?:li|\n)*$/,
  ol: /^(?:li|\n)*$/,
  table: /^\n thead \n tbody \n$/,
  thead: /^\n tr \n$/,
  tbody: /^\n(?: tr \n)+$/,
  tr: /^\n(?: t[hd] \n)+$/,
  pre: /^span code$/,
};

/** Checks the structure of lists, tables, code and spoilers that strict clients require. */
function checkChildren(node: DefaultTreeAdapterTypes.Element) {
  const children = node.childNodes.map((child) =>
    "value" in child ? child.value : child.nodeName,
  );
  const schema = CHILDREN[node.tagName];
  const separator = node.tagName === "ul" || node.tagName === "ol" ? "" : " ";
  if (schema !== undefined) expect(children.join(separator)).toMatch(schema);
  const kind = node.attrs.find(({ name }) => name === "class")?.value;
  if (kind === "spoiler-block") expect(children).toEqual(["div", "div"]);
  if (kind === "codehilite") expect(children).toEqual(["pre"]);
  if (kind?.includes("message_inline_image")) expect(children).toEqual(["a"]);
}

function isKatex(node: DefaultTreeAdapterTypes.Element): boolean {
  return node.attrs.some(({ name, value }) => name === "class" && value === "katex");
}

const KATEX_TAGS = new Set(
  (
    "span svg path line math semantics annotation mrow mi mn mo mtext msup msub msubsup mfrac " +
    "msqrt mroot mspace mover munder munderover mpadded mstyle mtable mtr mtd mphantom menclose " +
    "merror none"
  ).split(" "),
);
const KATEX_ATTRIBUTES = new Set(
  (
    "class style aria-hidden xmlns encoding display width height viewBox preserveAspectRatio d " +
    "x1 x2 y1 y2 stroke-width mathvariant mathcolor mathbackground mathsize scriptlevel " +
    "displaystyle linebreak rowspacing columnspacing columnalign columnlines rowlines stretchy " +
    "fence separator accent accentunder lspace rspace voffset depth notation linethickness form " +
    "symmetric movablelimits minsize maxsize largeop"
  ).split(" "),
);

function checkKatex(node: Tree) {
  if (!("tagName" in node)) return void expect(node.nodeName).toBe("#text");
  if (!KATEX_TAGS.has(node.tagName)) throw new Error(`unexpected <${node.tagName}>`);
  for (const { name, value } of node.attrs) {
    if (!KATEX_ATTRIBUTES.has(name)) throw new Error(`unexpected ${name}`);
    if (name === "style") expect(value).not.toMatch(/url|expression|[<>"]/);
  }
  node.childNodes.forEach(checkKatex);
}
