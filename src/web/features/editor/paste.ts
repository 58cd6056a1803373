// Converts pasted content to Markdown, links, tables and code.
import { parseUrl } from "../../../text/input/parse-url.ts";
import { viewOf } from "../../views.ts";
import { now } from "../../live.ts";
import { parsePasted } from "../../content/pasted.ts";
import { type Edit, fenced, isInCode, put, putBlock, type Written } from "./edits.ts";
import { addressIn, isAddressOfLink } from "./link.ts";
import { markdownOf } from "./markdown.ts";

/** More is better read as a file. */
export const TEXT_BYTES_MAX = 20_000;
/** The whole text is monospaced, not only some words. */
const EQUAL_WIDTHS = /font-family\s*:[^;]*(?:mono|consolas|menlo|courier)/i;

export interface Pasted {
  readonly text: string;
  readonly html: string;
  /** The language, if it was copied from a code editor that names it. */
  readonly language?: string | undefined;
}

/** Undefined: as the browser pastes it. */
export function pasted(written: Written, { text, html, language }: Pasted): Edit | undefined {
  const { start, end } = written;
  if (isInCode(written.text, start)) return undefined;
  const link = linkHere(text);
  const address = addressIn(text);
  if (address !== undefined) {
    const chosen = written.text.slice(start, end);
    if (isAddressOfLink(written)) return put(written, address);
    const isWords = chosen.trim() !== "" && addressIn(chosen) === undefined;
    if (isWords && !chosen.includes("\n")) return put(written, `[${chosen}](${address})`);
    return link === undefined ? undefined : put(written, link);
  }
  const isLines = text.includes("\n");
  if (isLines && language !== undefined) return block(written, text, language);
  if (html === "") return undefined;
  const nodes = parsePasted(html);
  if (isLines && isFromEditor(nodes)) return block(written, text, "");
  const markdown = markdownOf(nodes);
  if (markdown === "" || markdown === text.trim()) return undefined;
  return markdown.includes("\n") ? putBlock(written, markdown) : put(written, markdown);
}

/** Editors write their code as one block, in a font of equal widths. */
function isFromEditor({ children }: DocumentFragment): boolean {
  const blocks = [...children].filter(({ tagName }) => tagName !== "BR");
  return blocks.length === 1 && EQUAL_WIDTHS.test(blocks[0]!.getAttribute("data-look") ?? "");
}

function block(written: Written, code: string, language: string): Edit {
  const text = code.replace(/\n+$/, "");
  const inside = fenced({ text, start: 0, end: text.length }, language);
  return putBlock(written, inside.put);
}

/** Parses the JSON that code editors add to the clipboard. */
export function languageOf(told: string): string | undefined {
  if (told === "") return undefined;
  const mode: unknown = /"mode":"([\w+#.-]{1,40})"/.exec(told)?.[1];
  return typeof mode === "string" && mode !== "plaintext" ? mode : "";
}

/** An address of ours, as one writes it in a message: `#**channel>topic@id**`. */
export function linkHere(text: string): string | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith(`${location.origin}/`)) return undefined;
  const view = viewOf(parseUrl(trimmed)?.hash ?? "");
  if (view.kind !== "messages") return undefined;
  const operandOf = (operator: string) =>
    view.terms.find((term) => term.operator === operator && !term.negated)?.operand;
  const known = now().channels.channels.get(Number(operandOf("channel")))?.row;
  const allowed = ["channel", "topic", "near", "with"];
  if (!known || /[*>]/.test(known.name)) return undefined;
  if (view.terms.some(({ operator }) => !allowed.includes(operator))) return undefined;
  const topic = operandOf("topic");
  const near = operandOf("near");
  if (topic === undefined) return `#**${known.name}**`;
  if (topic.includes("*")) return undefined;
  return `#**${known.name}>${topic}${near === undefined ? "" : `@${near}`}**`;
}
