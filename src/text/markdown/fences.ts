// Splits a message at its fences: code, math, quotes and spoilers, nested as they are.
import { codeBlock } from "./code.ts";
import { parseLines } from "./blocks.ts";
import type { ColorBudget } from "./highlight.ts";
import { mathBlock } from "./math.ts";
import type { MathBudget } from "./math.ts";
import { withHangingLists } from "./lines.ts";
import { element, flow } from "./tree.ts";
import type { Element, Node } from "./tree.ts";

interface FenceOptions {
  /** The tag of a fence that has none; "" for plain code. */
  default_language: string;
  math: MathBudget;
  colors: ColorBudget;
}

const FENCES_NESTED_MAX = 20;

export function parseDocument(lines: readonly string[], options: FenceOptions): Node[] {
  const root = open("root", "");
  const stack = [root];
  for (const line of lines) readLine(stack, line, options);
  while (stack.length > 1) close(stack, options);
  endText(root, stack);
  return root.blocks;
}

interface Frame {
  kind: "root" | "quote" | "spoiler" | "math" | "code";
  fence: string;
  tag: string;
  header: string;
  /** Lines not yet parsed. */
  lines: string[];
  blocks: Node[];
}

function open(kind: Frame["kind"], fence: string, tag = "", header = ""): Frame {
  return { kind, fence, tag, header, lines: [], blocks: [] };
}

function readLine(stack: Frame[], line: string, options: FenceOptions) {
  const top = stack.at(-1)!;
  const trimmed = top.kind === "root" ? line : line.trimEnd();
  if (top.fence !== "" && trimmed === top.fence) return close(stack, options);
  if (top.kind === "code" || top.kind === "math") return top.lines.push(trimmed);

  const first = line.charCodeAt(0);
  if ((first === 96 || first === 126) && stack.length <= FENCES_NESTED_MAX) {
    const frame = opening(line.trimEnd(), defaultLanguage(stack, options));
    if (frame !== undefined) {
      endText(top, stack);
      return stack.push(frame);
    }
  }
  return top.lines.push(trimmed);
}

function defaultLanguage(stack: readonly Frame[], options: FenceOptions): string {
  return stack.some((frame) => frame.kind === "spoiler") ? "" : options.default_language;
}

const OPENING_FENCE = /^(`{3,}|~{3,}) *\{?\.?([A-Za-z0-9_+\-./#]*)/;

function opening(line: string, default_language: string): Frame | undefined {
  const match = OPENING_FENCE.exec(line);
  if (match === null) return undefined;
  const [fullOpening, fence, typedLanguage] = match as unknown as [string, string, string];
  const behind = line.slice(fullOpening.length);
  const isSpoiler =
    (typedLanguage === "" ? default_language : typedLanguage).toLowerCase() === "spoiler";
  // The header of a spoiler may contain backticks. It hides what follows unless the line is code.
  if (isSpoiler ? behind.endsWith(fence) : /[~`]/.test(behind)) return undefined;
  const rest = behind.replace(/^ +/, "");
  const header = rest.endsWith("}") ? rest.slice(0, -1).trimEnd() : rest;
  if (typedLanguage === "" && header !== "") return undefined;
  const tag = (typedLanguage === "" ? default_language : typedLanguage).toLowerCase();
  if (tag === "quote" || tag === "quoted") return open("quote", fence);
  if (tag === "spoiler") return open("spoiler", fence, tag, header);
  if (tag === "math") return open("math", fence);
  return open("code", fence, tag);
}

function close(stack: Frame[], options: FenceOptions) {
  const frame = stack.at(-1)!;
  if (frame.kind !== "code" && frame.kind !== "math") endText(frame, stack);
  stack.pop();
  const block = finished(frame, options);
  if (block !== undefined) stack.at(-1)!.blocks.push(block);
}

function finished(frame: Frame, options: FenceOptions): Element | undefined {
  switch (frame.kind) {
    case "code":
      if (frame.lines.length === 0) return undefined;
      return codeBlock(frame.lines, frame.tag, options.colors);
    case "math":
      return frame.lines.length === 0 ? undefined : mathBlock(frame.lines, options.math);
    case "spoiler":
      return spoiler(parseLines([frame.header]), frame.blocks);
    default:
      return frame.blocks.length === 0 ? undefined : flow("blockquote", {}, frame.blocks);
  }
}

function spoiler(header: Node[], content: Node[]): Element {
  return element("div", { class: "spoiler-block" }, [
    flow("div", { class: "spoiler-header" }, header),
    flow("div", { class: "spoiler-content", "aria-hidden": "true" }, content),
  ]);
}

/** Parses the lines that a frame has gathered so far. A list does not hang inside a spoiler. */
function endText(frame: Frame, stack: readonly Frame[]) {
  if (frame.lines.length === 0) return;
  const hangs = stack.every(({ kind }) => kind === "root" || kind === "quote");
  const lines = hangs ? withHangingLists(frame.lines) : frame.lines;
  for (const block of parseLines(lines)) frame.blocks.push(block);
  frame.lines = [];
}
