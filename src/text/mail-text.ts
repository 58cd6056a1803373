// Renders a message for emails: as HTML without images, styles and secrets, and as text.
import type * as htmlparser from "htmlparser2";
import { withoutEnd } from "./trim.ts";
import { parseUrl } from "./input/parse-url.ts";
import { lettersOf } from "./emoji.ts";
import { COMMAND } from "./widget.ts";
import { escapeAttribute, escapeLiteral } from "./markdown/serialize.ts";

export interface Excerpt {
  html: string;
  text: string;
}

const STORED = new Set(
  (
    "a b blockquote br code del em h1 h2 h3 h4 h5 h6 hr i li ol p pre s strong sub sup table " +
    "tbody td th thead tr u ul"
  ).split(" "),
);
/** Indentation per list level. */
const INDENT = "   ";
const VOID_ELEMENTS = new Set(["br", "hr"]);
/** Elements that start on a new line. */
const BLOCKS = new Set("blockquote div h1 h2 h3 h4 h5 h6 hr li ol p pre table tr ul".split(" "));
/** A preview repeats the link, and an image requires a session. */
const OMITTED_CLASSES = [
  "message_inline_image",
  "message_inline_video",
  "message_embed",
  "spoiler-content",
];
/** Texts in the recipient's language. */
interface ExcerptTexts {
  /** Replaces the content of a spoiler. */
  readonly hiddenText: string;
  /** Formats a time in seconds since 1970. */
  readonly moment: (time: number) => string;
  /** Whether the text contains the URLs of links. */
  readonly hasAddresses: boolean;
}

/** `base`: resolves links without a host. */
export function excerptOf(html: string, base: string, context: ExcerptTexts): Excerpt {
  const writer = new Writer(base, context);
  const { Parser } = require("htmlparser2") as typeof htmlparser;
  const parser = new Parser({
    onopentag: (name, attributes) => writer.open(name, attributes),
    ontext: (text) => writer.addText(text),
    onclosetag: (name) => writer.close(name),
  });
  parser.write(html.replace(COMMAND, "<p>"));
  parser.end();
  return writer.toExcerpt();
}

interface Open {
  name: string;
  isRetained: boolean;
  href?: string | undefined;
  /** Length of the text before the element. */
  from: number;
  /** The number of the next item in a numbered list. */
  next?: number | undefined;
}

function firstOf(start = "1"): number {
  const first = Number(start);
  return Number.isSafeInteger(first) ? first : 1;
}

class Writer {
  private html = "";
  private text = "";
  private isLineNew = true;
  /** Inserted before the next text: the marker of a list item. */
  private mark = "";
  private readonly path: Open[] = [];
  /** Nesting depth within omitted elements. */
  private skipped = 0;
  /** Nesting depth within a formula, of which only the source is shown. */
  private formula = 0;
  private isSource = false;

  constructor(
    private readonly base: string,
    private readonly texts: ExcerptTexts,
  ) {}

  open(name: string, attributes: Record<string, string>): void {
    const classes = (attributes["class"] ?? "").split(" ");
    if (this.skipped > 0) this.skipped += 1;
    else if (this.formula > 0) {
      this.formula += 1;
      if (name === "annotation") this.isSource = true;
    } else if (name === "span" && classes.includes("katex")) this.formula = 1;
    else if (OMITTED_CLASSES.some((omittedClass) => classes.includes(omittedClass))) {
      this.skipped = 1;
      const { hiddenText } = this.texts;
      if (classes.includes("spoiler-content")) {
        this.put(hiddenText, `<em>${escapeLiteral(hiddenText)}</em>`);
      }
    } else if (!this.putReplacement(name, classes, attributes)) this.begin(name, attributes);
  }

  /** Replaces elements that only the client can display. */
  private putReplacement(
    name: string,
    classes: readonly string[],
    attributes: Record<string, string>,
  ): boolean {
    const time = name === "time" ? Date.parse(attributes["datetime"] ?? "") / 1000 : Number.NaN;
    const isEmoji = name === "span" && classes.includes("emoji");
    const text = isEmoji
      ? lettersOf(classes)
      : Number.isNaN(time)
        ? undefined
        : this.texts.moment(time);
    if (text === undefined) return false;
    this.skipped = 1;
    this.put(text, escapeLiteral(text));
    return true;
  }

  addText(text: string): void {
    if (this.skipped > 0 || (this.formula > 0 && !this.isSource)) return;
    const isFixed = this.path.some(({ name }) => name === "pre");
    const message = isFixed ? text : text.replace(/\s+/g, " ");
    this.put(this.isLineNew && !isFixed ? message.trimStart() : message, escapeLiteral(text));
  }

  close(name: string): void {
    if (this.skipped > 0) this.skipped -= 1;
    else if (this.formula > 0) {
      this.formula -= 1;
      if (name === "annotation") this.isSource = false;
    } else this.end();
  }

  toExcerpt(): Excerpt {
    const lines = this.text.split("\n").map((line) => withoutEnd(line, /[ \t]/));
    return { html: this.html, text: lines.join("\n").trim() };
  }

  private begin(name: string, attributes: Record<string, string>): void {
    // The alt text of emoji is their name.
    const message = name === "img" ? (attributes["alt"] ?? "") : "";
    if (message !== "") this.put(message, escapeLiteral(message));
    if (BLOCKS.has(name) || name === "br") this.endLine();
    if (name === "li") this.mark = this.markOfItem();
    const href = name === "a" ? this.addressOf(attributes["href"]) : undefined;
    const isStored = STORED.has(name) && (name !== "a" || href !== undefined);
    const next = name === "ol" ? firstOf(attributes["start"]) : undefined;
    const text = href ? ` href="${escapeAttribute(href)}"` : "";
    const startAttribute = next !== undefined && next !== 1 ? ` start="${next}"` : text;
    if (isStored) this.html += `<${name}${startAttribute}>`;
    this.path.push({ name, isRetained: isStored, from: this.text.length, href, next });
  }

  private end(): void {
    const element = this.path.at(-1);
    if (!element) return;
    const { name, isRetained: isStored, href, from } = element;
    const lineText = this.text.slice(from).trim();
    const isPlain = href === undefined || lineText === href || `mailto:${lineText}` === href;
    if (!isPlain && this.texts.hasAddresses) this.put(` (${href})`, "");
    if (isStored && !VOID_ELEMENTS.has(name)) this.html += `</${name}>`;
    if (name === "td" || name === "th") this.put("  ", "");
    if (name === "li") this.mark = "";
    this.path.pop();
    if (BLOCKS.has(name)) this.endLine();
  }

  /** White space between elements does not start a line. */
  private put(text: string, html: string): void {
    this.html += html;
    for (const [index, line] of text.split("\n").entries()) {
      if (index > 0) this.endLine();
      if (line === "" || (this.isLineNew && line.trim() === "")) continue;
      if (this.isLineNew) this.text += this.linePrefix();
      this.isLineNew = false;
      this.text += line;
    }
  }

  private linePrefix(): string {
    const quotes = this.path.filter(({ name }) => name === "blockquote").length;
    const items = this.path.filter(({ name }) => name === "li").length;
    // Further lines of an item are indented like its first text.
    const depth = this.mark === "" ? items : items - 1;
    const beginning = "> ".repeat(quotes) + INDENT.repeat(Math.max(0, depth)) + this.mark;
    this.mark = "";
    return beginning;
  }

  private markOfItem(): string {
    const list = this.path.findLast(({ name }) => name === "ol" || name === "ul");
    return list?.next === undefined ? "- " : `${list.next++}. `;
  }

  private endLine(): void {
    if (this.isLineNew) return;
    this.text += "\n";
    this.isLineNew = true;
  }

  private addressOf(href: string | undefined): string | undefined {
    const url = href === undefined ? undefined : parseUrl(href, this.base);
    return url && /^(https?|mailto):$/.test(url.protocol) ? url.href : undefined;
  }
}
