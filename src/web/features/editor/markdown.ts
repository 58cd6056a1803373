// Converts DOM nodes to Markdown: pasted content, or a selection in a message.
import { ownValue } from "../../../text/input/own-value.ts";
import { parseUrl } from "../../../text/input/parse-url.ts";
import { firstOf } from "../../content/item-at.ts";
import { fenceFor } from "./edit-rules.ts";

const BLOCKS = new Set(
  [
    ["ADDRESS", "ARTICLE", "BLOCKQUOTE", "DD", "DETAILS", "DIV", "DL", "DT", "FIGURE", "FOOTER"],
    ["H1", "H2", "H3", "H4", "H5", "H6", "HEADER", "HR", "LI", "MAIN", "OL", "P", "PRE"],
    ["SECTION", "TABLE", "TBODY", "TD", "TH", "THEAD", "TR", "UL"],
  ].flat(),
);
const MARKS: Readonly<Record<string, string>> = {
  B: "**",
  STRONG: "**",
  EM: "*",
  I: "*",
  DEL: "~~",
  S: "~~",
  STRIKE: "~~",
};
const LIGHT = /(?:^|;)\s*font-weight:\s*(?:normal|[1-5]00)\b/;
const INLINE_STYLES: readonly [RegExp, mark: string][] = [
  [/(?:^|;)\s*font-weight:\s*(?:bold\b|[6-9]00\b)/, "**"],
  [/(?:^|;)\s*font-style:\s*italic\b/, "*"],
  [/(?:^|;)\s*text-decoration(?:-line)?:[^;]*line-through/, "~~"],
];
const DEPTH_MAX = 100;
/** A date with a time and a zone, as HTML, ISO 8601 and Ruby write it. */
const ZONED =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(?:Z|UTC|([+-]\d\d)(:?\d\d)?)$/i;

/** Removes blank lines at the ends. */
export function markdownOf(root: ParentNode & Node): string {
  return blocksOf(root, 0).join("\n\n").trim();
}

/** The blocks of the node, as lines. */
function blocksOf(node: Node, depth: number): string[] {
  const blocks: string[] = [];
  let line = "";
  const end = () => {
    const text = normalizeSpaces(line);
    if (text !== "") blocks.push(text);
    line = "";
  };
  for (const child of node.childNodes) {
    if (!(child instanceof Element) || !isBlock(child)) {
      line += inlineOf(child, depth);
      continue;
    }
    end();
    if (depth < DEPTH_MAX) blocks.push(...blockMarkdownOf(child, depth + 1));
  }
  end();
  return blocks.filter((block) => block !== "");
}

const isBlock = (node: Element): boolean => BLOCKS.has(node.tagName) || hasBlock(node);

const hasBlock = (node: Element): boolean =>
  marksOf(node).length === 0 &&
  node.querySelector("p, div, ul, ol, pre, table, blockquote, h1, h2, h3") !== null;

const normalizeSpaces = (line: string) =>
  line
    .replace(/[ \t\u00a0]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .trim();

function blockMarkdownOf(node: Element, depth: number): string[] {
  const { tagName } = node;
  if (node.matches(".codeblock, pre")) return [codeOf(node)];
  if (/^H[1-6]$/.test(tagName)) {
    return [`${"#".repeat(Number(tagName[1]))} ${normalizeSpaces(inlinesOf(node, depth))}`];
  }
  switch (tagName) {
    case "HR":
      return ["---"];
    case "UL":
    case "OL":
      return [listOf(node, depth)];
    case "TABLE":
      // A table that contains other tables is used for layout.
      if (node.querySelector("table")) return blocksOf(node, depth);
      return node instanceof HTMLTableElement ? [tableOf(node, depth)] : blocksOf(node, depth);
    case "BLOCKQUOTE":
      return [indented(blocksOf(node, depth).join("\n\n"), "> ")];
    case "DETAILS":
      return [spoilerOf(node, depth)];
    default:
      return blocksOf(node, depth);
  }
}

function codeOf(node: Element): string {
  const block = node.querySelector("pre") ?? node;
  // Some pages have the name of the language and buttons beside the `code` element.
  const codes = block.querySelectorAll("code");
  const [code = block] = codes.length === 1 ? codes : [];
  for (const end of code.querySelectorAll("br")) end.replaceWith("\n");
  const text = (code.textContent ?? "").replace(/\u00a0/g, " ").replace(/^\n+|\n+$/g, "");
  const languageName = /(?:language|lang)-([\w+#-]+)/.exec(
    `${node.className} ${node.querySelector("code")?.className ?? ""}`,
  )?.[1];
  const language = languageName ?? node.querySelector(".lang > span")?.textContent ?? "";
  const fence = fenceFor(text);
  return `${fence}${language}\n${text}\n${fence}`;
}

function listOf(node: Element, depth: number): string {
  const isOrdered = node.tagName === "OL";
  const first = Number(node.getAttribute("start") ?? 1) || 1;
  let count = 0;
  const items: string[] = [];
  let indent = "";
  for (const child of node.children) {
    if (/^[OU]L$/.test(child.tagName)) {
      // Some programs put a nested list beside the item that it belongs to.
      items.push(indented(listOf(child, depth + 1), indent));
    } else if (child.tagName === "LI") {
      const listMarker = isOrdered ? `${first + count++}. ` : "- ";
      indent = " ".repeat(listMarker.length);
      const isChecked = child.getAttribute("aria-checked");
      const box = isChecked === null ? "" : isChecked === "true" ? "[x] " : "[ ] ";
      const [head = "", ...rest] = blocksOf(child, depth).join("\n").split("\n");
      items.push(
        [listMarker + box + head, ...rest.map((line) => line && indent + line)].join("\n"),
      );
    }
  }
  return items.join("\n");
}

function tableOf(node: HTMLTableElement, depth: number): string {
  const rows = [...node.querySelectorAll("tr")].map((row) =>
    [...row.querySelectorAll("th, td")].map((cell) =>
      normalizeSpaces(blocksOf(cell, depth).join(" ").replace(/\s+/g, " ")),
    ),
  );
  return tableFrom(rows);
}

/** Rows of cells; the first is the header. A single cell becomes its text. */
function tableFrom(rows: readonly (readonly string[])[]): string {
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return "";
  if (width === 1 && rows.length === 1) return firstOf(firstOf(rows));
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, column) => cellOf(cells[column] ?? "")).join(" | ")} |`;
  const [head = [], ...body] = rows;
  const rule = `|${" --- |".repeat(width)}`;
  return [line(head), rule, ...body.map(line)].join("\n");
}

/** Escapes pipes, which would start another cell. */
const cellOf = (text: string) => text.replaceAll("|", String.raw`\|`);

function spoilerOf(node: Element, depth: number): string {
  const summary = node.querySelector("summary");
  const title = normalizeSpaces(summary?.textContent ?? "");
  const inside = [...node.children].filter((child) => child !== summary);
  const text = inside.flatMap((child) => blocksOf(child, depth)).join("\n\n");
  const fence = fenceFor(text);
  return `${fence}spoiler ${title}\n${text}\n${fence}`;
}

const indented = (text: string, listMarker: string) =>
  text
    .split("\n")
    .map((line) => listMarker + line)
    .join("\n");

const inlinesOf = (node: Node, depth: number): string =>
  [...node.childNodes].map((child) => inlineOf(child, depth + 1)).join("");

function inlineOf(node: Node, depth: number): string {
  if (node.nodeType === Node.TEXT_NODE) return (node.textContent ?? "").replace(/[\n\t ]+/g, " ");
  if (!(node instanceof Element) || depth > DEPTH_MAX) return "";
  if (node.tagName === "BR") return "\n";
  const special = specialMarkdownOf(node);
  if (special !== undefined) return special;
  const inner = inlinesOf(node, depth);
  if (node.tagName === "A") return linkOf(node, inner);
  const marks = marksOf(node);
  if (marks.length === 0 || inner.trim() === "") return inner;
  const [, before = "", text = "", after = ""] = /^(\s*)([^]*?)(\s*)$/.exec(inner) ?? [];
  return before + marks.join("") + text + marks.toReversed().join("") + after;
}

/** Markers by element name, or by the style that word processors use. */
function marksOf(node: Element): string[] {
  const look = node.getAttribute("data-look") ?? "";
  const mark = ownValue(MARKS, node.tagName);
  if (mark !== undefined) return mark === "**" && LIGHT.test(look) ? [] : [mark];
  if (node.tagName !== "SPAN") return [];
  return INLINE_STYLES.flatMap(([pattern, mark]) => (pattern.test(look) ? [mark] : []));
}

/** Elements that stand for something other than their text. */
function specialMarkdownOf(node: Element): string | undefined {
  const { tagName } = node;
  if (tagName === "CODE" || tagName === "KBD" || tagName === "SAMP") {
    const text = node.textContent ?? "";
    return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
  }
  if (node.matches(".emoji")) {
    const name = node.getAttribute("aria-label") ?? node.getAttribute("alt") ?? "";
    return name === ""
      ? (node.textContent ?? "")
      : `:${name.replaceAll(":", "").replaceAll(" ", "_")}:`;
  }
  if (node.matches(".mention")) {
    const name = (node.textContent ?? "").replace(/^@/, "");
    const id = node.getAttribute("data-on");
    return id === null ? `@_**${name}**` : `@_**${name}|${id}**`;
  }
  if (tagName.toUpperCase() === "MATH") return formulaOf(node);
  if (node.matches("time, relative-time")) return timeOf(node);
  // List items with checkboxes. Elsewhere, checkboxes are controls of a page.
  if (node.matches("li input[type=checkbox]")) return node.matches("[checked]") ? "[x] " : "[ ] ";
  return tagName === "IMG" ? pictureOf(node) : undefined;
}

/** A formula without its TeX source becomes text. */
function formulaOf(node: Element): string {
  const source = node.getAttribute("aria-label") ?? "";
  const tex = source.replace(/\s+/g, " ").trim();
  if (tex === "") return (node.textContent ?? "").replace(/\s+/g, " ");
  return tex.includes("$$") ? `\`${tex}\`` : `$$${tex}$$`;
}

/** undefined without a time zone, which makes the time ambiguous. */
function timeOf(node: Element): string | undefined {
  const match = ZONED.exec(node.getAttribute("datetime")?.trim() ?? "");
  if (!match) return undefined;
  const [, day, time, hours, minutes = ":00"] = match;
  const isoTime = `${day}T${time}${hours ? hours + minutes : "Z"}`;
  return Number.isNaN(Date.parse(isoTime)) ? undefined : `<time:${isoTime}>`;
}

/** An image in a link becomes the link's text. */
function pictureOf(node: Element): string {
  const src = node.getAttribute("src") ?? "";
  const address = /^https?:/.test(src) ? src : "";
  const alt = normalizeSpaces(node.getAttribute("alt") ?? "").replaceAll("\n", " ");
  if (node.closest("a[href]")) return alt || fileNameIn(address);
  if (address === "") return "";
  const escaped = address.replaceAll("(", "%28").replaceAll(")", "%29");
  return `[${alt || fileNameIn(address) || "image"}](${escaped})`;
}

const fileNameIn = (address: string): string =>
  /\/([^/?#]+\.[a-z]{3,4})(?:[?#]|$)/i.exec(address)?.[1] ?? "";

function linkOf(node: Element, inner: string): string {
  const href = node.getAttribute("href") ?? "";
  const text = normalizeSpaces(inner).replaceAll("\n", " ");
  if (text === "" || !/^(https?:|mailto:|\/|#)/i.test(href)) return inner;
  const address =
    href.startsWith("#") || href.startsWith("/") ? parseUrl(href, location.href) : href;
  if (address === undefined) return inner;
  const escaped = String(address).replaceAll("(", "%28").replaceAll(")", "%29");
  if (text === escaped || text === href) return escaped;
  return href === `mailto:${text}` ? text : `[${text}](${escaped})`;
}
