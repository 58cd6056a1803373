// Serializes a tree to HTML, escaping all text and attributes.
import { isBlock, isElement } from "./tree.ts";
import type { Element, Node } from "./tree.ts";

export function serialize(blocks: readonly Node[]): string {
  let html = "";
  blocks.forEach((block, i) => {
    html += i === 0 || isPreview(blocks[i - 1]) ? write(block) : "\n" + write(block);
  });
  return html;
}

const VOID_ELEMENTS = new Set(["br", "hr", "img"]);

function write(node: Node): string {
  if (typeof node === "string") return escapeText(node);
  if ("literal" in node) return escapeLiteral(node.literal);
  if ("html" in node) return node.html;

  let html = "<" + node.tag;
  for (const name in node.attributes) {
    const value = node.attributes[name]!;
    html += value === true ? ` ${name}` : ` ${name}="${escapeAttribute(value)}"`;
  }
  html += ">";
  if (VOID_ELEMENTS.has(node.tag)) return html;
  html += node.flow ? writeFlow(node) : writeAll(node.children);
  return `${html}</${node.tag}>`;
}

function writeAll(nodes: readonly Node[]): string {
  let html = "";
  for (const node of nodes) html += write(node);
  return html;
}

/**
 * A line break follows each block, except previews, which in list items also have none before them.
 */
function writeFlow(parent: Element): string {
  const { children } = parent;
  if (children.length === 0) return parent.tag === "div" ? "\n" : "";
  const startsInline = parent.tag === "li" && isPreview(children[0]);
  let html = isBlock(children[0]) && !startsInline ? "\n" : "";
  for (let i = 0; i < children.length; i++) {
    const child = children[i]!;
    html += write(child);
    if (isBlock(child) && !isPreview(child) && !startsLine(children[i + 1])) html += "\n";
  }
  return html;
}

const PREVIEW = /\bmessage_(?:inline_image|embed)\b/;

function isPreview(node: Node | undefined): boolean {
  if (!isElement(node) || node.tag !== "div") return false;
  const name = node.attributes["class"];
  return typeof name === "string" && PREVIEW.test(name);
}

function startsLine(node: Node | undefined): boolean {
  return isElement(node) ? node.tag === "br" : typeof node === "string" && node.startsWith("\n");
}

const AMPERSAND = /&(?!(?:#[0-9]+|#x[0-9a-f]+|[0-9a-z]+);)/gi;

/** Source text: entities are kept. */
export function escapeText(text: string): string {
  if (!/[&<>]/.test(text)) return text;
  return text.replace(AMPERSAND, "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export function escapeLiteral(text: string): string {
  if (!/[&<>]/.test(text)) return text;
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export function escapeAttribute(text: string): string {
  return escapeLiteral(text).replaceAll('"', "&quot;");
}

/** Also escapes both kinds of quotes, the single one as given. */
export function escapeQuotes(text: string, single: "&#39;" | "&#x27;"): string {
  return escapeAttribute(text).replaceAll("'", single);
}
