// What the tools of the composer do to a text: a value in, one replacement out.

/** A text, and what is selected in it. */
export interface Written {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** `put` takes the place of what stands from `start` to `end`; then `select` is selected. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly put: string;
  readonly select: readonly [number, number];
}

export type Mark = "**" | "*" | "~~" | "`" | "$$";

/** Puts a mark around the selection, or takes it away where it is. */
export function toggled({ text, start, end }: Written, mark: Mark): Edit {
  const { length } = mark;
  const inner = text.slice(start, end);
  if (inner.length >= 2 * length && isMarked(inner, 0, inner.length, mark, true)) {
    const bare = inner.slice(length, -length);
    return { start, end, put: bare, select: [start, start + bare.length] };
  }
  if (isMarked(text, start, end, mark, false)) {
    const from = start - length;
    return { start: from, end: end + length, put: inner, select: [from, from + inner.length] };
  }
  // Marks next to spaces mean nothing, so the spaces stay outside.
  const [, before = "", core = "", after = ""] = /^(\s*)([^]*?)(\s*)$/.exec(inner) ?? [];
  const put = before + mark + core + mark + after;
  const at = start + before.length + length;
  return { start, end, put, select: [at, at + core.length] };
}

/** Stars count: two are bold, one is italic, three are both. */
function isMarked(text: string, start: number, end: number, mark: Mark, isInside: boolean) {
  const sign = mark[0]!;
  const before = isInside ? runAfter(text, start, sign) : runBefore(text, start, sign);
  const after = isInside ? runBefore(text, end, sign) : runAfter(text, end, sign);
  const run = Math.min(before, after);
  return mark === "*" ? run % 2 === 1 : run >= mark.length;
}

function runBefore(text: string, at: number, sign: string): number {
  let run = 0;
  while (at - run > 0 && text[at - run - 1] === sign) run++;
  return run;
}

function runAfter(text: string, at: number, sign: string): number {
  let run = 0;
  while (text[at + run] === sign) run++;
  return run;
}

/** The whole lines that the selection touches. */
function linesAt({ text, start, end }: Written): { from: number; to: number; lines: string[] } {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const next = text.indexOf("\n", Math.max(from, end > start ? end - 1 : end));
  const to = next === -1 ? text.length : next;
  return { from, to, lines: text.slice(from, to).split("\n") };
}

const ITEM = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+/;
const QUOTED = /^> ?/;

/** Makes items of the selected lines, or plain lines of items. */
export const listed = (written: Written): Edit =>
  everyLine(written, ITEM, (line) => line.replace(/^\s*/, "$&- "));

export const numbered = (written: Written): Edit =>
  everyLine(written, ITEM, (line, at) => `${at + 1}. ${line}`);

export const quoted = (written: Written): Edit => everyLine(written, QUOTED, (line) => `> ${line}`);

function everyLine(
  written: Written,
  marked: RegExp,
  mark: (line: string, at: number) => string,
): Edit {
  const { from, to, lines } = linesAt(written);
  const isMarkedAll = lines.every((line) => marked.test(line));
  const put = lines
    .map((line, at) => (isMarkedAll ? line.replace(marked, "") : mark(line, at)))
    .join("\n");
  const { start, end } = written;
  const select: [number, number] =
    start === end ? [from + put.length, from + put.length] : [from, from + put.length];
  return { start: from, end: to, put, select };
}

/** Code in a line is marked, code of several lines fenced. */
export function coded(written: Written): Edit {
  const { text, start, end } = written;
  const isLines = text.slice(start, end).includes("\n");
  return unfenced(written, "") ?? (isLines ? fenced(written, "") : toggled(written, "`"));
}

/**
 * A block between fences, which are longer than any in it, or the block alone where it has them.
 * `head` is what the fence is of.
 */
export function fenced(written: Written, head: string, words = ""): Edit {
  const bare = unfenced(written, head);
  if (bare) return bare;
  const { text, start, end } = written;
  const chosen = text.slice(start, end);
  const fence = fenceFor(chosen);
  const before = start > 0 && text[start - 1] !== "\n" ? "\n" : "";
  const after = end < text.length && text[end] !== "\n" ? "\n" : "";
  const opening = `${before}${fence}${head}${words === "" ? "" : ` ${words}`}\n`;
  const put = `${opening}${chosen}\n${fence}${after}`;
  const headEnd = start + opening.length - 1;
  const at = start + opening.length;
  // What is to be filled in first: the head's words, then the block.
  const select: [number, number] =
    words === "" ? [at, at + chosen.length] : [headEnd - words.length, headEnd];
  return { start, end, put, select };
}

const FENCE = /^(`{3,}) *([^\s`]*)/;
/** What is no code between fences. */
const BLOCKS = ["spoiler", "quote", "math"];

/** Takes the fences away whose whole block is selected, or something in their first line. */
function unfenced({ text, start, end }: Written, head: string): Edit | undefined {
  const line = text.lastIndexOf("\n", start - 1) + 1;
  const isHead = FENCE.test(text.slice(line));
  const from = isHead ? line : text.lastIndexOf("\n", line - 2) + 1;
  const [, fence = "", kind = ""] = FENCE.exec(text.slice(from)) ?? [];
  const body = text.indexOf("\n", from) + 1;
  const isKind = head === "" ? !BLOCKS.includes(kind) : kind === head;
  if (fence === "" || body === 0 || !isKind || start === end) return undefined;
  if (isInFence(text.slice(0, from))) return undefined;
  const lines = text.slice(body).split("\n");
  const count = lines.findIndex((one) => one.trim() === fence);
  const block = lines.slice(0, count).join("\n");
  const isWhole = isHead ? end < body : start === body && end === body + block.length;
  if (count < 1 || !isWhole) return undefined;
  const to = body + block.length + 1 + lines[count]!.length;
  return { start: from, end: to, put: block, select: [from, from + block.length] };
}

export function fenceFor(text: string): string {
  const runs = [...text.matchAll(/^\s*(`{3,})/gm)].map(([, run]) => run!.length);
  return "`".repeat(Math.max(3, ...runs.map((run) => run + 1)));
}

/**
 * Words become a link whose address is to be typed; an address becomes a link without words, and
 * the address of a link gives way to its words.
 */
export function linked({ text, start, end }: Written, words: string): Edit {
  const chosen = text.slice(start, end);
  const open = text.lastIndexOf("[", start);
  const shownBefore = text.slice(open + 1, start - 2);
  if (open >= 0 && text.slice(start - 2, start) === "](" && text[end] === ")") {
    const select = [open, open + shownBefore.length] as const;
    return { start: open, end: end + 1, put: shownBefore, select };
  }
  const address = addressIn(chosen);
  if (address !== undefined) {
    const put = `[${words}](${address})`;
    return { start, end, put, select: [start + 1, start + 1 + words.length] };
  }
  const shown = chosen === "" ? words : chosen;
  const put = `[${shown}](url)`;
  const at = start + shown.length + 3;
  return { start, end, put, select: [at, at + 3] };
}

const WEB = /^https?:\/\/\S+$/i;
const MAIL = /^(?:mailto:)?([^\s@:<>()[\]]+@[^\s@:<>()[\].]+\.[^\s@:<>()[\]]+)$/i;

/** What a link leads to by a text that is an address: of the web, or of somebody's mail. */
export function addressIn(text: string): string | undefined {
  const typed = text.trim();
  if (WEB.test(typed)) return typed;
  const mail = MAIL.exec(typed)?.[1];
  return mail === undefined ? undefined : `mailto:${mail}`;
}

/** Puts words over the selection, the caret behind them. */
export function put({ start, end }: Pick<Written, "start" | "end">, words: string): Edit {
  const at = start + words.length;
  return { start, end, put: words, select: [at, at] };
}

/** Puts a block on lines of its own. */
export function putBlock({ text, start, end }: Written, block: string): Edit {
  const before = start === 0 ? "" : text.slice(0, start).endsWith("\n") ? "" : "\n";
  const after = text.slice(end).startsWith("\n") ? "" : "\n";
  return put({ start, end }, before + block + after);
}

const NEXT_ITEM = /^(\s*)(?:([-*+])|(\d{1,9})([.)]))(\s+)(\[[ xX]\]\s+)?(.*)$/;
const NEXT_QUOTE = /^((?:>\s?)+)(.*)$/;

/** What a new line is in a list or a quote; undefined where it is a line like any other. */
export function continued({ text, start, end }: Written): Edit | undefined {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const line = text.slice(from, start);
  if (isInFence(text.slice(0, from))) return undefined;
  const item = NEXT_ITEM.exec(line);
  if (item) {
    const [, indent, sign, number, dot, space, box, words] = item;
    if (words === "") return put({ start: from, end }, "");
    const next = sign ?? `${Number(number) + 1}${dot}`;
    return put({ start, end }, `\n${indent}${next}${space}${box === undefined ? "" : "[ ] "}`);
  }
  const quote = NEXT_QUOTE.exec(line);
  if (!quote) return undefined;
  const [, signs, words] = quote;
  return words === "" ? put({ start: from, end }, "") : put({ start, end }, `\n${signs}`);
}

/** Is a fence open at the end of the text? */
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

/** The text after an edit. */
export function applied(text: string, { start, end, put: words }: Edit): string {
  return text.slice(0, start) + words + text.slice(end);
}
