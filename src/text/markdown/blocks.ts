// Parses lines without fences into blocks, leaving inline text for later.
import { withoutSpaceBefore } from "../trim.ts";
import { plainCode } from "./code.ts";
import { bulleted, continueList, continuesList, numbered, readList } from "./lists.ts";
import { isTable, readTable } from "./tables.ts";
import { element, flow, isElement, type Place } from "./tree.ts";
import type { Element, Node } from "./tree.ts";

const BLOCKS_NESTED_MAX = 20;

export function parseLines(lines: readonly string[]): Node[] {
  const root = flow("div");
  parseChunk({ parent: root, mode: "", depth: 0 }, lines);
  return root.children;
}

/** Empty lines separate blocks. */
function parseChunk(container: Place, lines: readonly string[]) {
  let start = 0;
  let gap = 0;
  for (let i = 0; i <= lines.length; i++) {
    if (i < lines.length && lines[i]!.trim() !== "") continue;
    if (i > start) {
      parseBlock(container, lines.slice(start, i), gap);
      gap = 0;
    }
    gap++;
    start = i + 1;
  }
}

function parseBlock(container: Place, lines: readonly string[], gap = 1): void {
  if (container.depth > BLOCKS_NESTED_MAX) return paragraph(container, lines);
  const first = lines[0]!;
  if (first === "")
    return lines.length > 1 ? parseBlock(container, lines.slice(1), gap) : undefined;
  return parseIndent(container, lines, splitAtHeadings, gap);
}

type Reader = (container: Place, lines: readonly string[]) => void;

/**
 * Parses indented lines, which continue a list or are code; `otherwise` parses lines without
 * indent.
 */
function parseIndent(container: Place, lines: readonly string[], otherwise: Reader, gap = 1) {
  const first = lines[0]!;
  if (first.startsWith("  ") && continuesList(container))
    continueList(container, lines, parseBlock);
  else if (first.startsWith("    ")) indentedCode(container, lines, gap);
  else otherwise(container, lines);
}

/** Code blocks separated only by empty lines are joined. */
function indentedCode(container: Place, lines: readonly string[], gap: number) {
  const end = lines.findIndex((line) => !line.startsWith("    "));
  const code = lines.slice(0, end === -1 ? undefined : end).map((line) => line.slice(4));
  code.push(code.pop()!.trimEnd());
  const { children } = container.parent;
  const before = children.at(-1);
  const earlier = isElement(before) ? indented.get(before) : undefined;
  const allLines = earlier === undefined ? code : [...earlier, ...Array(gap).fill(""), ...code];
  const block = plainCode(allLines);
  indented.set(block, allLines);
  if (earlier === undefined) children.push(block);
  else children[children.length - 1] = block;
  if (end !== -1) parseBlock(container, lines.slice(end));
}

const indented = new WeakMap<Element, string[]>();

const HEADING = /^(#{1,6})\s(.*)$/;

function splitAtHeadings(container: Place, lines: readonly string[]) {
  let start = 0;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const match = line.charCodeAt(0) === 35 ? HEADING.exec(line) : null;
    if (match === null) continue;
    if (i > start) parseIndent(container, lines.slice(start, i), splitAtRules);
    const text = withoutEndingHashes(match[2]!);
    container.parent.children.push(element(`h${match[1]!.length}`, {}, text === "" ? [] : [text]));
    start = i + 1;
  }
  if (start === 0) splitAtRules(container, lines);
  else if (start < lines.length) parseIndent(container, lines.slice(start), splitAtRules);
}

function withoutEndingHashes(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === "#") end--;
  return text.slice(0, end).trim();
}

const RULE = /^ {0,3}(?:-[- ]*|_[_ ]*|\*[* ]*)$/;

/** Whether the line is a rule: at least three marks, with at most two spaces between them. */
function isRule(line: string): boolean {
  if (!RULE.test(line)) return false;
  const marks = line.trim();
  return !marks.includes("   ") && marks.replaceAll(" ", "").length >= 3;
}

function splitAtRules(container: Place, lines: readonly string[]) {
  if (isTable(lines)) return void container.parent.children.push(readTable(lines));
  let start = 0;
  for (let i = 0; i < lines.length; i++) {
    if (!isRule(lines[i]!)) continue;
    if (i > start) parseIndent(container, lines.slice(start, i), splitAtRules);
    container.parent.children.push(element("hr"));
    start = i + 1;
  }
  if (start === 0) readPlain(container, lines);
  else if (start < lines.length) parseIndent(container, lines.slice(start), splitAtRules);
}

function readPlain(container: Place, lines: readonly string[]) {
  const first = lines[0]!;
  if (numbered.first.test(first)) readList(container, lines, numbered, parseBlock);
  else if (bulleted.first.test(first)) readList(container, lines, bulleted, parseBlock);
  else splitAtQuote(container, lines);
}

const QUOTED = /^ {0,3}> ?/;
const QUOTED_NOTHING = /^ {0,3}>\s*$/;

/** A quote extends to the end of its block, including lines without a mark. */
function splitAtQuote(container: Place, lines: readonly string[]) {
  const start = lines.findIndex((line) => QUOTED.test(line));
  if (start === -1 || lines.slice(start).every((line) => QUOTED_NOTHING.test(line))) {
    return paragraph(container, lines);
  }
  if (start > 0) paragraph(container, lines.slice(0, start));
  const quote = flow("blockquote");
  container.parent.children.push(quote);
  const inside = lines.slice(start).map(unquoted);
  parseChunk({ parent: quote, mode: "", depth: container.depth + 1 }, inside);
}

/** A single mark quotes nothing, at any indent. */
function unquoted(line: string): string {
  return line.trim() === ">" ? "" : line.replace(QUOTED, "");
}

/** In a tight list, text belongs directly to the item. */
function paragraph({ parent, mode }: Place, lines: readonly string[]) {
  const text = lines.join("\n");
  if (mode !== "tight") {
    parent.children.push(element("p", {}, [withoutSpaceBefore(text)]));
    return;
  }
  const { children } = parent;
  const last = children.at(-1);
  if (last === undefined) children.push(withoutSpaceBefore(text));
  else if (typeof last !== "string") children.push(`\n${text}`);
  else {
    const content = children.length === 1 ? withoutSpaceBefore(text) : text;
    children[children.length - 1] = `${last}\n${content}`;
  }
}
