// Splits a text that is too long for one message, and repeats the markup that is open at the end.
import { MESSAGE_LENGTH_MAX } from "../../messages/rules.ts";
import { OpenFences } from "./open-fences.ts";
import { cutAt, isShort } from "./cut-text.ts";
import { isDelimiter } from "./table-rows.ts";

/**
 * Markup that needs more space is not repeated in the next part, which limits the number of parts.
 */
const MARKUP_LENGTH_MAX = MESSAGE_LENGTH_MAX / 2;
/** Limits the search for a part that leaves space for closing its fences. */
const ATTEMPTS_MAX = 5;
/** The marks of quotes at the start of a line. */
const QUOTES = /^(?: {0,3}> ?){1,20}/;
const INDENTED_ITEM = /^( +)(?:[*+-]|\d{1,9}\.) /;

/** The markup that is open at a position of the text. */
interface Open {
  readonly fences: OpenFences;
  /** The header and delimiter rows of the open table. */
  readonly table: readonly string[];
  /** The marks of the open quote, if the position is within a line. */
  readonly quotes: string;
}

const nothingOpen = (): Open => ({ fences: new OpenFences(), table: [], quotes: "" });

/** Splits at line breaks or spaces if possible, so that links stay whole. */
export function inParts(content: string): string[] {
  const parts: string[] = [];
  let open = nothingOpen();
  for (let at = 0; at < content.length;) {
    const part = partAt(content, at, open);
    parts.push(part.text);
    at += part.length;
    open = part.next;
  }
  return parts.filter((part) => part.trim() !== "");
}

interface Part {
  readonly text: string;
  /** Number of UTF-16 code units of the content that the part contains. */
  readonly length: number;
  readonly next: Open;
}

function partAt(content: string, at: number, open: Open): Part {
  const head = headOf(open);
  const available = MESSAGE_LENGTH_MAX - head.length;
  if (isShort(content, at, available)) {
    const rest = content.slice(at);
    return { text: withHead(head, rest, open), length: rest.length, next: nothingOpen() };
  }
  let room = available - tailOf(open).length;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const part = cutAt(content, at, room);
    const next = openAfter(content, at, part, open);
    const tail = tailOf(next);
    const longestHead = Math.max(head.length, headOf(next).length);
    if (longestHead + tail.length > MARKUP_LENGTH_MAX) break;
    if (room + tail.length <= available) {
      return { text: withHead(head, part, open) + tail, length: part.length, next };
    }
    room = available - tail.length;
  }
  const part = cutAt(content, at, available);
  return { text: withHead(head, part, open), length: part.length, next: nothingOpen() };
}

const headOf = ({ fences, table, quotes }: Open) =>
  [...fences.openings, ...table].map((line) => `${line}\n`).join("") + quotes;

const tailOf = ({ fences }: Open) => fences.closings.map((line) => `\n${line}`).join("");

/**
 * Puts the repeated markup before a part, and removes a line break that the part then no longer
 * needs.
 */
function withHead(head: string, part: string, { fences }: Open): string {
  const text = fences.isCode ? part : withoutIndent(part);
  if (head === "") return text;
  return head + (text.startsWith("\n") || !fences.isCode ? text.replace(/^[\n ]/, "") : text);
}

/**
 * Removes the indent of items of a nested list. At the start of a message, indented lines would be
 * code.
 */
function withoutIndent(part: string): string {
  const [, indent] = part.startsWith("\n") ? (INDENTED_ITEM.exec(part.slice(1, 200)) ?? []) : [];
  if (indent === undefined) return part;
  const lines = part.split("\n");
  const end = lines.findIndex((line, index) => index > 0 && !line.startsWith(" "));
  const items = lines.slice(0, end < 0 ? undefined : end).map((line) => {
    return line.startsWith(indent) ? line.slice(indent.length) : line.trimStart();
  });
  return [...items, ...lines.slice(items.length)].join("\n");
}

/**
 * Returns the markup that is open after a part. A part ends before a line break or within a line.
 */
function openAfter(content: string, at: number, part: string, open: Open): Open {
  const end = at + part.length;
  const isInLine = content[end] !== "\n";
  const fences = open.fences.copy();
  const started = part.split("\n");
  // The first line of this part may have started in the previous one.
  const continued = at === 0 ? undefined : started.shift();
  const partial = isInLine ? started.pop() : undefined;
  let table = open.table;
  let previous = continued ?? "";
  for (const line of started) {
    const isText = fences.read(line) === "text" && line.trim() !== "";
    if (!isText) table = [];
    else if (table.length === 0 && previous.includes("|") && isDelimiter(line)) {
      table = [previous, line];
    }
    previous = line;
  }
  if (!isInLine) {
    const isTableEnd = content[end + 1] === "\n";
    return { fences, table: isTableEnd ? [] : table, quotes: "" };
  }
  const [marks = ""] = partial === undefined ? [open.quotes] : (QUOTES.exec(partial) ?? []);
  return { fences, table: [], quotes: fences.isCode ? "" : marks };
}
