// Reads a message's HTML like the mobile app: one line for each part that it cannot display.
import { parseFragment } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

export function unsupportedContent(html: string): string[] {
  return blocks(parseFragment(html).childNodes as Node[]);
}

/** Between blocks only line breaks are allowed. */
const blocks = (nodes: readonly Node[]): string[] =>
  nodes.filter((node) => !isLineEnds(node)).flatMap(block);

function block(node: Node): string[] {
  if (!isElement(node)) return [fault(node)];
  const kind = classOf(node);
  const name = node.tagName;
  if (name === "div") return PREVIEWS.test(kind) ? preview(node) : division(node, kind);
  if (kind !== "") return [fault(node)];
  if (name === "p") return node.childNodes.some(isMath) ? mathBlocks(node) : inlines(node);
  if (/^h[1-6]$/.test(name)) return inlines(node);
  if (name === "ul" || name === "ol") return items(node);
  if (name === "blockquote") return blocks(node.childNodes);
  if (name === "table") return table(node);
  return name === "br" || name === "hr" ? [] : [fault(node)];
}

const FILM = "(?:message_inline_video|youtube-video|embed-video)";
const PREVIEWS = new RegExp(`^(?:${FILM} )?message_inline_image(?: ${FILM})?$`);

function division(node: Element, kind: string): string[] {
  const children = node.childNodes;
  if (kind === "spoiler-block") {
    const parts = children.map((child) => (isElement(child) ? classOf(child) : ""));
    if (parts.join(" ") !== "spoiler-header spoiler-content") return [fault(node)];
    return (children as Element[]).flatMap((part) => blocks(part.childNodes));
  }
  if (kind === "codehilite") return codeBlock(node);
  if (kind !== "message_embed") return [fault(node)];
  const [picture, text] = children as Element[];
  const isPicture = picture?.tagName === "a" && classOf(picture) === "message_embed_image";
  const style = picture && isPicture ? attribute(picture, "style") : undefined;
  const isShown = style !== undefined && /background-image: url\(("?).+?\1\)/.test(style);
  if (!isShown || text === undefined || classOf(text) !== "data-container") return [fault(node)];
  return [];
}

/** Preview of a picture or video that a link leads to. */
function preview(node: Element): string[] {
  const link = onlyChild(node);
  const shown = link && link.tagName === "a" && classOf(link) === "" ? onlyChild(link) : undefined;
  if (shown === undefined || attribute(shown, "src") === undefined) return [fault(node)];
  const isVideo = classOf(node).includes("message_inline_video");
  if (isVideo) return shown.tagName === "video" ? [] : [fault(node)];
  return shown.tagName === "img" && attribute(link!, "href") !== undefined ? [] : [fault(node)];
}

function codeBlock(node: Element): string[] {
  const pre = onlyChild(node);
  const [first, last] = pre?.tagName === "pre" ? (pre.childNodes as Element[]) : [];
  const hasEmptySpan = first?.tagName === "span" && first.childNodes.length === 0;
  if (!hasEmptySpan || last?.tagName !== "code") return [fault(node)];
  return last.childNodes.flatMap((child) => {
    if (!isElement(child)) return isText(child) ? [] : [fault(child)];
    const isPlain = child.childNodes.every(isText);
    return child.tagName === "span" && isPlain ? [] : [fault(child)];
  });
}

/** Items contain either text or blocks; no text may follow a picture. */
function items(node: Element): string[] {
  const start = attribute(node, "start");
  if (start !== undefined && !/^-?\d+$/.test(start)) return [fault(node)];
  return node.childNodes.flatMap((item) => {
    if (isText(item) && item.value === "\n") return [];
    if (!isElement(item) || item.tagName !== "li" || classOf(item) !== "") return [fault(item)];
    let afterPicture = false;
    return item.childNodes.flatMap((child) => {
      if (isText(child) && child.value === "\n") return [];
      if (isElement(child) && BLOCKS.has(child.tagName)) {
        afterPicture = classOf(child) === "message_inline_image";
        return block(child);
      }
      return afterPicture ? [`${fault(child)} after a picture`] : inline(child);
    });
  });
}

/** Includes rules, which the app displays. */
const BLOCKS = new Set("hr p ol ul h1 h2 h3 h4 h5 h6 blockquote table div".split(" "));

function table(node: Element): string[] {
  const [head, body] = childrenBetween(node, ["thead", "tbody"]) ?? [];
  const top = head && childrenBetween(head, ["tr"]);
  if (!body || !top) return [fault(node)];
  const rows = body.childNodes.filter((row) => !isLineEnds(row));
  const headings = cells(top[0]!, "th");
  const all = rows.map((row) => (isElement(row) ? cells(row, "td") : []));
  if (all.some((row) => row.length !== headings.length)) return [`${fault(node)} is uneven`];
  return [...headings, ...all.flat()].flatMap((cell) => {
    const style = attribute(cell, "style");
    const isPlaced = style === undefined || /^text-align: (?:left|center|right);$/.test(style);
    return isPlaced ? inlines(cell) : [fault(cell)];
  });
}

const cells = (row: Element, name: string): Element[] =>
  row.childNodes.filter((cell): cell is Element => isElement(cell) && cell.tagName === name);

/** The children with these names, each preceded by a line break, with one at the end. */
function childrenBetween(node: Element, names: string[]): Element[] | undefined {
  const received = node.childNodes.map((child) => (isText(child) ? child.value : child.nodeName));
  const expected = ["\n", ...names.flatMap((name) => [name, "\n"])];
  if (received.join("\0") !== expected.join("\0")) return undefined;
  return node.childNodes.filter(isElement);
}

/** Display formulas share a paragraph, separated by an empty line. */
function mathBlocks(node: Element): string[] {
  const nodes = [...node.childNodes];
  const [before, last] = nodes.slice(-2);
  if (before?.nodeName === "br" && last && isText(last) && last.value === "\n") nodes.splice(-2);
  return nodes.flatMap((child) => {
    if (isText(child) && child.value === "\n\n") return [];
    if (isElement(child) && classOf(child) === "tex-error") return [];
    if (!isElement(child) || !isMath(child)) return [fault(child)];
    const formula = onlyChild(child);
    return formula && isFormula(formula, "block") ? [] : [fault(child)];
  });
}

const isMath = (node: Node): boolean => isElement(node) && classOf(node) === "katex-display";

/** The source of a formula is read from its last annotation. */
function isFormula(node: Element, display?: string): boolean {
  if (node.tagName !== "span" || classOf(node) !== "katex") return false;
  const [coded, set] = node.childNodes as Element[];
  if (node.childNodes.length !== 2 || classOf(coded!) !== "katex-mathml") return false;
  const math = onlyChild(coded!);
  if (math?.tagName !== "math" || attribute(math, "display") !== display) return false;
  const source = onlyChild(math)?.childNodes.at(-1);
  if (source === undefined || !isElement(source) || source.tagName !== "annotation") return false;
  return attribute(source, "encoding") === "application/x-tex" && classOf(set!) === "katex-html";
}

const inlines = (node: Element): string[] => node.childNodes.flatMap(inline);

const PLAIN = new Set(["strong", "del", "em", "code"]);
const LINKS = new Set(["", "stream", "stream-topic", "message-link"]);
const MENTION =
  /^(?:user-mention(?: channel-wildcard-mention)?|user-group-mention|topic-mention)(?: silent)?$/;
const EMOJI = /^(?:emoji emoji(?:-[0-9a-f]+)+|emoji(?:-[0-9a-f]+)+ emoji)$/;
/** Classes in the protocol that the app shows unchanged. */
const SHOWN_RAW = new Set(["tex-error", "timestamp-error"]);

function inline(node: Node): string[] {
  if (isText(node)) return [];
  if (!isElement(node)) return [fault(node)];
  const [name, kind] = [node.tagName, classOf(node)];
  const hasAttributes = (...names: string[]) =>
    names.every((name) => attribute(node, name) !== undefined);
  if (PLAIN.has(name) && kind === "") return inlines(node);
  if (name === "br" && kind === "") return [];
  if (name === "a" && LINKS.has(kind) && hasAttributes("href")) return inlines(node);
  if (name === "span" && MENTION.test(kind)) return inlines(node);
  if (name === "span" && (EMOJI.test(kind) || SHOWN_RAW.has(kind))) return [];
  if (name === "span" && isFormula(node)) return [];
  if (name === "img" && kind === "emoji" && hasAttributes("alt", "src")) return [];
  const isPicture = /^inline-image(?: image-loading-placeholder)?$/.test(kind);
  if (name === "img" && isPicture && hasAttributes("src")) return [];
  if (name === "audio" && kind === "" && hasAttributes("src")) return [];
  const time = name === "time" && kind === "" ? attribute(node, "datetime") : undefined;
  return time?.endsWith("Z") && !Number.isNaN(Date.parse(time)) ? [] : [fault(node)];
}

const isElement = (node: Node): node is Element => "tagName" in node;
const isText = (node: Node) => "value" in node;
const isLineEnds = (node: Node) => isText(node) && /^\n+$/.test(node.value);
const attribute = (node: Element, expected: string) =>
  node.attrs.find(({ name }) => name === expected)?.value;
const classOf = (node: Element) => attribute(node, "class") ?? "";

function onlyChild(node: Element): Element | undefined {
  const [child, ...others] = node.childNodes;
  return child && isElement(child) && others.length === 0 ? child : undefined;
}

function fault(node: Node): string {
  if (isText(node)) return `text ${JSON.stringify(node.value)}`;
  return isElement(node) ? `<${node.tagName} class="${classOf(node)}">` : node.nodeName;
}
