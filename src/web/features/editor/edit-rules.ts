// The composer's tools as pure functions from a text to a replacement.
import { firstOf, itemAt, lastOf } from "../../content/item-at.ts";

/** A text and its selection. */
export interface EditorText {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Replaces the text from `start` to `end` by `put`; then selects `select`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly select: readonly [number, number];
}

type InlineMark = "**" | "*" | "~~" | "`" | "$$";

/** Adds a marker around the selection, or removes it. */
export function toggleMark({ text, start, end }: EditorText, mark: InlineMark): Edit {
  const { length } = mark;
  const inner = text.slice(start, end);
  const lines = toggleLines({ text, start, end }, mark);
  if (lines) return lines;
  if (inner.length >= 2 * length && isMarked(inner, 0, inner.length, mark, true)) {
    const unmarked = inner.slice(length, -length);
    return { start, end, replacement: unmarked, select: [start, start + unmarked.length] };
  }
  if (isMarked(text, start, end, mark, false)) {
    const from = start - length;
    return {
      start: from,
      end: end + length,
      replacement: inner,
      select: [from, from + inner.length],
    };
  }
  // Markers beside spaces have no effect, so spaces stay outside.
  const [, before = "", body = "", after = ""] = /^(\s*)([^]*?)(\s*)$/.exec(inner) ?? [];
  const replacement = before + mark + body + mark + after;
  const index = start + before.length + length;
  return { start, end, replacement, select: [index, index + body.length] };
}

/** Prefixes of a line: quote, list item and heading marks. */
const HEAD = /^\s*(?:(?:>|[-*+] |\d{1,9}[.)] |#{1,6} )\s*)*/;

/**
 * Each of several lines gets its own marks, since marks cannot span paragraphs or list items.
 * Undefined for a single line, or if marks surround all of them.
 */
function toggleLines({ text, start, end }: EditorText, mark: InlineMark): Edit | undefined {
  const lines = text.slice(start, end).split("\n");
  if (lines.length === 1) return undefined;
  const parsedLines = lines.map((line, index) => {
    const isWhole = index > 0 || start === 0 || text[start - 1] === "\n";
    const [head = ""] = (isWhole ? HEAD : /^\s*/).exec(line) ?? [];
    const body = line.slice(head.length).trimEnd();
    return { head, core: body, tail: line.slice(head.length + body.length) };
  });
  const { length } = mark;
  const isOn = ({ core }: { core: string }) =>
    core.length > 2 * length && isMarked(core, 0, core.length, mark, true);
  const nonEmpty = parsedLines.filter(({ core }) => core !== "");
  const isAll = nonEmpty.every(isOn);
  const isAround =
    isMarked(text, start, end, mark, false) ||
    (firstOf(lines).startsWith(mark) && lastOf(lines).endsWith(mark));
  if (nonEmpty.length === 0 || (isAround && !isAll)) return undefined;
  const replacement = parsedLines
    .map((parsedLine) => {
      const { head, core, tail } = parsedLine;
      if (core === "" || (!isAll && isOn(parsedLine))) return head + core + tail;
      return head + (isAll ? core.slice(length, -length) : mark + core + mark) + tail;
    })
    .join("\n");
  return { start, end, replacement, select: [start, start + replacement.length] };
}

/** Stars count: two are bold, one is italic, three are both. */
function isMarked(text: string, start: number, end: number, mark: InlineMark, isInside: boolean) {
  const markCharacter = firstOf(mark);
  const before = isInside
    ? runAfter(text, start, markCharacter)
    : runBefore(text, start, markCharacter);
  const after = isInside ? runBefore(text, end, markCharacter) : runAfter(text, end, markCharacter);
  const run = Math.min(before, after);
  return mark === "*" ? run % 2 === 1 : run >= mark.length;
}

function runBefore(text: string, index: number, markCharacter: string): number {
  let run = 0;
  while (index - run > 0 && text[index - run - 1] === markCharacter) run++;
  return run;
}

function runAfter(text: string, index: number, markCharacter: string): number {
  let run = 0;
  while (text[index + run] === markCharacter) run++;
  return run;
}

/** The complete lines that the selection touches. */
export function linesAt({ text, start, end }: EditorText): {
  from: number;
  to: number;
  lines: string[];
} {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const next = text.indexOf("\n", Math.max(from, end > start ? end - 1 : end));
  const to = next === -1 ? text.length : next;
  return { from, to, lines: text.slice(from, to).split("\n") };
}

/** The prefix before the mark is kept. */
const BULLET = /^(\s*)[-*+]\s+/;
const NUMBER = /^(\s*)\d{1,9}[.)]\s+/;
const QUOTE_MARK = /^()> ?/;

/**
 * Turns the selected lines into list items (also items of the other kind), or items into plain
 * lines.
 */
export const toggleList = (editorText: EditorText): Edit =>
  everyLine(editorText, BULLET, (line) => line.replace(NUMBER, "$1").replace(/^\s*/, "$&- "));

export const numbered = (editorText: EditorText): Edit =>
  everyLine(editorText, NUMBER, (line, index) =>
    line.replace(BULLET, "$1").replace(/^\s*/, `$&${index + 1}. `),
  );

export const toggleQuote = (editorText: EditorText): Edit =>
  everyLine(editorText, QUOTE_MARK, (line) => `> ${line}`, true);

/** `at` counts the marked lines; empty lines between them are marked only with `withEmpty`. */
function everyLine(
  editorText: EditorText,
  marked: RegExp,
  mark: (line: string, index: number) => string,
  withEmpty = false,
): Edit {
  const { from, to, lines } = linesAt(editorText);
  const hasWords = (line: string) => withEmpty || lines.length === 1 || line.trim() !== "";
  const isMarkedAll = lines.filter(hasWords).every((line) => marked.test(line));
  let position = 0;
  const replacement = lines
    .map((line) => {
      if (!hasWords(line)) return line;
      return isMarkedAll ? line.replace(marked, "$1") : mark(line, position++);
    })
    .join("\n");
  const { start, end } = editorText;
  const select: [number, number] =
    start === end
      ? [from + replacement.length, from + replacement.length]
      : [from, from + replacement.length];
  return { start: from, end: to, replacement, select };
}

/** Marks code within one line with backticks, and code of several lines with a fence. */
export const coded = (editorText: EditorText): Edit => toggleCode(editorText, "`", "");

export const formula = (editorText: EditorText): Edit => toggleCode(editorText, "$$", "math");

function toggleCode(editorText: EditorText, mark: InlineMark, head: string): Edit {
  const { text, start, end } = editorText;
  const isLines = text.slice(start, end).includes("\n");
  return (
    removeFence(editorText, head) ??
    (isLines ? fenced(editorText, head) : toggleMark(editorText, mark))
  );
}

/**
 * Puts a block between fences longer than any in it, or returns the block if it has fences already.
 * `head`: the fence's language or type.
 */
export function fenced(editorText: EditorText, head: string, words = ""): Edit {
  const withoutFence = removeFence(editorText, head);
  if (withoutFence) return withoutFence;
  const { text, start, end } = editorText;
  const selectedText = text.slice(start, end);
  const fence = fenceFor(selectedText);
  const before = start > 0 && text[start - 1] !== "\n" ? "\n" : "";
  const after = end < text.length && text[end] !== "\n" ? "\n" : "";
  const opening = `${before}${fence}${head}${words === "" ? "" : ` ${words}`}\n`;
  const replacement = `${opening}${selectedText}\n${fence}${after}`;
  const headEnd = start + opening.length - 1;
  const index = start + opening.length;
  // Selects what must be filled in first: the header's text, or else the block.
  const select: [number, number] =
    words === "" ? [index, index + selectedText.length] : [headEnd - words.length, headEnd];
  return { start, end, replacement, select };
}

const FENCE = /^(`{3,}) *([^\s`]*)/;
/** Kinds of fenced blocks that are not code. */
const BLOCKS = ["spoiler", "quote", "math"];

/** Removes the fences if their whole block, or text in their first line, is selected. */
function removeFence({ text, start, end }: EditorText, head: string): Edit | undefined {
  const line = text.lastIndexOf("\n", start - 1) + 1;
  const isHead = FENCE.test(text.slice(line));
  const from = isHead ? line : text.lastIndexOf("\n", line - 2) + 1;
  const [, fence = "", kind = ""] = FENCE.exec(text.slice(from)) ?? [];
  const body = text.indexOf("\n", from) + 1;
  const isSameKind = head === "" ? !BLOCKS.includes(kind) : kind === head;
  if (fence === "" || body === 0 || !isSameKind || start === end) return undefined;
  if (isInFence(text.slice(0, from))) return undefined;
  const lines = text.slice(body).split("\n");
  const count = lines.findIndex((candidate) => candidate.trim() === fence);
  const block = lines.slice(0, count).join("\n");
  const isWhole = isHead ? end < body : start === body && end === body + block.length;
  if (count < 1 || !isWhole) return undefined;
  const to = body + block.length + 1 + itemAt(lines, count).length;
  return { start: from, end: to, replacement: block, select: [from, from + block.length] };
}

export function fenceFor(text: string): string {
  const runs = [...text.matchAll(/^\s*(`{3,})/gm)].map(([, run = ""]) => run.length);
  return "`".repeat(Math.max(3, ...runs.map((run) => run + 1)));
}

/** Replaces the selection, and puts the caret after the new text. */
export function replaceSelection(
  { start, end }: Pick<EditorText, "start" | "end">,
  words: string,
): Edit {
  const index = start + words.length;
  return { start, end, replacement: words, select: [index, index] };
}

/** Inserts a block on separate lines. */
export function insertBlock({ text, start, end }: EditorText, block: string): Edit {
  const before = start === 0 ? "" : text.slice(0, start).endsWith("\n") ? "" : "\n";
  const after = text.slice(end).startsWith("\n") ? "" : "\n";
  return replaceSelection({ start, end }, before + block + after);
}

const NEXT_ITEM = /^(\s*)(?:([-*+])|(\d{1,9})([.)]))(\s+)(\[[ xX]\]\s+)?(.*)$/;
/** Splits a line into quote marks and text. */
const QUOTE_MARKS = /^((?:>\s?)*)(.*)$/;

/** Continues a list or quote on a new line. Undefined for other lines. */
export function continueList({ text, start, end }: EditorText): Edit | undefined {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  if (isInFence(text.slice(0, from))) return undefined;
  const [, signs = "", content = ""] = QUOTE_MARKS.exec(text.slice(from, start)) ?? [];
  const item = NEXT_ITEM.exec(content);
  if (item) {
    const [, indent, listMarker, number, dot, space, box, words] = item;
    if (words === "") return replaceSelection({ start: from + signs.length, end }, "");
    const next = listMarker ?? `${Number(number) + 1}${dot}`;
    const opening = `${signs}${indent}${next}${space}`;
    return replaceSelection({ start, end }, `\n${opening}${box === undefined ? "" : "[ ] "}`);
  }
  if (signs === "") return undefined;
  return content === ""
    ? replaceSelection({ start: from, end }, "")
    : replaceSelection({ start, end }, `\n${signs}`);
}

/** Whether a fence is open at the end of the text. */
export function isInFence(text: string): boolean {
  let open: string | undefined;
  for (const line of text.split("\n")) {
    const fence = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) continue;
    if (open === undefined) open = fence;
    else if (line.trim() === open) open = undefined;
  }
  return open !== undefined;
}

/** Whether the index is between fences, or between two backticks in a line. */
export function isInCode(text: string, index: number): boolean {
  const from = text.lastIndexOf("\n", index - 1) + 1;
  const [rest = ""] = text.slice(index).split("\n", 1);
  if (isInFence(text.slice(0, from))) return true;
  return hasOpenCode(text.slice(from, index)) && rest.includes("`");
}

/** Whether the line has an odd number of backticks. */
export const hasOpenCode = (line: string): boolean => (line.match(/`/g)?.length ?? 0) % 2 === 1;

/** The interface of an open editor for other modules. */
export interface EditorHandle {
  readonly node: HTMLTextAreaElement;
  content(): EditorText;
  apply(edit: Edit): void;
}
