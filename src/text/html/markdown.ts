// Converts HTML that another product stored to Markdown; nothing of the HTML itself is kept.
import type * as htmlparser from "htmlparser2";
import { bareAddress, withAddresses } from "./bare-address.ts";
import { escapeBrackets, escapeEmojiNames, escapeMarkdown } from "./escape-markdown.ts";
import { tableCell } from "./table-cell.ts";
import { fenced } from "../markdown/make-fence.ts";

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Markdown of an element that only the product has; undefined: it has no special meaning. */
export type Special = (element: Element, inner: string) => string | undefined;

/** The content of more deeply nested elements is added to the element at this depth. */
const DEPTH_MAX = 40;
/**
 * Below this depth, the parser stops, because it searches all open elements for each closing tag.
 */
const PARSED_DEPTH_MAX = 500;
const LENGTH_MAX = 1_000_000;

interface Frame extends Element {
  text: string;
  /** The number of the next item of an ordered list. */
  next: number;
  /** The number of cells of a row so far. */
  cells: number;
}

/** Spaces and lines between the items, rows and cells of these have no meaning. */
const BLOCK_CONTAINERS = new Set(["ul", "ol", "table", "thead", "tbody", "tfoot", "tr"]);
const OMITTED_ELEMENTS = new Set(["script", "style", "head", "title", "template"]);
const HEADING = /^h([1-6])$/;

export function markdownOfHtml(html: string, special: Special = () => undefined): string {
  const writer = new Writer(special);
  const { Parser } = require("htmlparser2") as typeof htmlparser;
  // The parser splits texts at entities.
  let text = "";
  const endText = () => {
    if (text !== "") writer.addText(text);
    text = "";
  };
  const parser = new Parser({
    onopentag: (name, attributes) => {
      endText();
      writer.open(name, attributes);
      if (writer.depth > PARSED_DEPTH_MAX) parser.pause();
    },
    ontext: (part) => void (text += part),
    onclosetag: (name) => {
      endText();
      writer.close(name);
    },
  });
  parser.write(html.slice(0, LENGTH_MAX).replaceAll(/[\u0000-\u0008]/g, ""));
  parser.end();
  endText();
  return writer.finish();
}

class Writer {
  private readonly frames: Frame[] = [frameOf("", {})];
  /** Number of open elements below the maximum depth. */
  private ignored = 0;

  constructor(private readonly special: Special) {}

  get depth(): number {
    return this.frames.length + this.ignored;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.frames.length > DEPTH_MAX || this.ignored > 0) this.ignored += 1;
    else this.frames.push(frameOf(name, attributes));
  }

  addText(text: string): void {
    const top = this.frames.at(-1)!;
    if (this.isInside("pre")) top.text += text;
    else if (BLOCK_CONTAINERS.has(top.name) && text.trim() === "") return;
    else if (this.isInside("code")) top.text += collapsed(text);
    else {
      const isLineStart = top.text === "" || top.text.endsWith("\n");
      const shown = top.text.endsWith("\n") ? collapsed(text).trimStart() : collapsed(text);
      top.text += escapeEmojiNames(escapeMarkdown(shown, isLineStart));
    }
  }

  close(name: string): void {
    if (this.ignored > 0) {
      this.ignored -= 1;
      return;
    }
    const frame = this.frames.at(-1)!;
    if (this.frames.length === 1 || frame.name !== name) return;
    this.frames.pop();
    const parent = this.frames.at(-1)!;
    const converted = this.special(frame, frame.text.trim());
    parent.text += converted ?? this.convert(frame, parent);
  }

  finish(): string {
    while (this.frames.length > 1) this.close(this.frames.at(-1)!.name);
    const lines = this.frames[0]!.text.split("\n").map((line) => line.trimEnd());
    return withAddresses(lines.join("\n"))
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim();
  }

  private isInside(name: string): boolean {
    return this.frames.some((frame) => frame.name === name);
  }

  private convert(frame: Frame, parent: Frame): string {
    const { name, attributes, text } = frame;
    if (OMITTED_ELEMENTS.has(name)) return "";
    if (name === "br") return "\n";
    if (this.isInside("pre") || this.isInside("code")) return text;
    if (HEADING.test(name)) return block(`${"#".repeat(Number(name[1]))} ${inOneLine(text)}`);
    switch (name) {
      case "p":
      case "div":
        return parent.name === "li" || parent.name === "td" ? `${text.trim()}\n` : block(text);
      case "strong":
      case "b":
        return marked(text, "**");
      case "em":
      case "i":
        return marked(text, "*");
      case "s":
      case "del":
      case "strike":
        return marked(text, "~~");
      case "code":
        return text.trim() === "" ? text : `\`${text.replaceAll("`", "'").trim()}\``;
      case "pre":
        return fencedBlock(languageOf(attributes), text.replace(/^\n|\n$/g, ""));
      case "blockquote":
        return fencedBlock("quote", text.trim());
      case "hr":
        return block("---");
      case "a":
        return linked(text, attributes["href"] ?? "");
      case "li":
        return itemOf(text, parent);
      case "ul":
      case "ol":
        return parent.name === "li" ? `\n${text}` : block(text);
      case "td":
      case "th":
        parent.cells += 1;
        return `| ${tableCell(text)} `;
      case "tr":
        return rowOf(frame, parent);
      case "table":
        return block(text);
      case "img":
        return attributes["alt"] ?? "";
      default:
        return text;
    }
  }
}

const frameOf = (name: string, attributes: Readonly<Record<string, string>>): Frame => ({
  ...{ name, attributes, text: "", cells: 0 },
  next: Number.parseInt(attributes["start"] ?? "1", 10) || 1,
});

const collapsed = (text: string) => text.replaceAll(/[\s\u00a0]+/g, " ");

const block = (text: string) => (text.trim() === "" ? "\n" : `\n${text.trim()}\n\n`);

const fencedBlock = (tag: string, text: string) => block(text === "" ? "" : fenced(tag, text));

const inOneLine = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");

/** Puts the marks of a style directly beside the text of each line. */
function marked(text: string, mark: string): string {
  if (text.trim() === "") return text;
  const start = text.length - text.trimStart().length;
  const end = text.trimEnd().length;
  const lines = text.slice(start, end).split("\n");
  const inner = lines.map((line) => (line.trim() === "" ? line : `${mark}${line.trim()}${mark}`));
  return text.slice(0, start) + inner.join("\n") + text.slice(end);
}

function languageOf({ class: classes = "" }: Readonly<Record<string, string>>): string {
  return /(?:^|\s)language-([\w+#.-]{1,30})/.exec(classes)?.[1] ?? "";
}

function linked(text: string, href: string): string {
  if (!/^(https?|mailto|tel):/i.test(href) || href.length > 4_000) return text;
  const label = inOneLine(text);
  if (label === "" || label === href) return bareAddress(href.replace(/^mailto:/i, ""));
  const address = encodeURI(href.toWellFormed()).replaceAll("%25", "%");
  const safe = address.replaceAll("(", "%28").replaceAll(")", "%29");
  return `[${escapeBrackets(label)}](${safe})`;
}

/** Formats a list item. Lines below the first one, and lists inside of it, are indented. */
function itemOf(text: string, parent: Frame): string {
  const mark = parent.name === "ol" ? `${parent.next++}.` : "*";
  const lines = text
    .trim()
    .split("\n")
    .filter((line) => line.trim() !== "");
  return `${mark} ${lines.join("\n  ")}\n`;
}

/** Formats a row of a table. Markdown requires a delimiter row below the first one. */
function rowOf({ text, cells }: Frame, parent: Frame): string {
  const isFirst = parent.next === 1;
  parent.next += 1;
  const table = `${text}|\n`;
  const isHead = isFirst && (parent.name !== "tbody" || parent.text === "");
  return isHead ? `${table}|${" --- |".repeat(cells)}\n` : table;
}
