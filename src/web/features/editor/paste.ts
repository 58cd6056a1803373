// Converts pasted content to Markdown, links, tables and code.
import { parseUrl } from "../../../text/input/parse-url.ts";
import { viewOf } from "../../views.ts";
import { getState } from "../../store/store.ts";
import { parsePasted } from "../../content/sanitize-pasted.ts";
import {
  type Edit,
  fenced,
  isInCode,
  replaceSelection,
  insertBlock,
  type EditorText,
} from "./edit-rules.ts";
import { addressIn, isAddressOfLink } from "./link.ts";
import { markdownOf } from "./markdown.ts";

/** Longer texts are offered as a file. */
export const TEXT_BYTES_MAX = 20_000;
/** Matches the style of a text that is monospaced as a whole. */
const EQUAL_WIDTHS = /font-family\s*:[^;]*(?:mono|consolas|menlo|courier)/i;

interface PastedContent {
  readonly text: string;
  readonly html: string;
  /** The language, if it was copied from a code editor that names it. */
  readonly language?: string | undefined;
}

/** undefined: the browser pastes it unchanged. */
export function pasted(
  editorText: EditorText,
  { text, html, language }: PastedContent,
): Edit | undefined {
  const { start, end } = editorText;
  if (isInCode(editorText.text, start)) return undefined;
  const link = linkHere(text);
  const address = addressIn(text);
  if (address !== undefined) {
    const selectedText = editorText.text.slice(start, end);
    if (isAddressOfLink(editorText)) return replaceSelection(editorText, address);
    const isWords = selectedText.trim() !== "" && addressIn(selectedText) === undefined;
    if (isWords && !selectedText.includes("\n"))
      return replaceSelection(editorText, `[${selectedText}](${address})`);
    return link === undefined ? undefined : replaceSelection(editorText, link);
  }
  const isLines = text.includes("\n");
  if (isLines && language !== undefined) return block(editorText, text, language);
  if (html === "") return undefined;
  const nodes = parsePasted(html);
  if (isLines && isFromEditor(nodes)) return block(editorText, text, "");
  const markdown = markdownOf(nodes);
  if (markdown === "" || markdown === text.trim()) return undefined;
  return markdown.includes("\n")
    ? insertBlock(editorText, markdown)
    : replaceSelection(editorText, markdown);
}

/** Code editors copy code as one block in a monospaced font. */
function isFromEditor({ children }: DocumentFragment): boolean {
  const blocks = [...children].filter(({ tagName }) => tagName !== "BR");
  const [block, ...others] = blocks;
  return others.length === 0 && EQUAL_WIDTHS.test(block?.getAttribute("data-look") ?? "");
}

function block(editorText: EditorText, code: string, language: string): Edit {
  const text = code.replace(/\n+$/, "");
  const inside = fenced({ text, start: 0, end: text.length }, language);
  return insertBlock(editorText, inside.replacement);
}

/** Parses the JSON that code editors add to the clipboard. */
export function languageOf(editorData: string): string | undefined {
  if (editorData === "") return undefined;
  const mode: unknown = /"mode":"([\w+#.-]{1,40})"/.exec(editorData)?.[1];
  return typeof mode === "string" && mode !== "plaintext" ? mode : "";
}

/** A URL of this organization in message syntax: `#**channel>topic@id**`. */
function linkHere(text: string): string | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith(`${location.origin}/`)) return undefined;
  const view = viewOf(parseUrl(trimmed)?.hash ?? "");
  if (view.kind !== "messages") return undefined;
  const operandOf = (operator: string) =>
    view.terms.find((term) => term.operator === operator && !term.negated)?.operand;
  const channel = getState().channels.channels.get(Number(operandOf("channel")))?.row;
  const allowed = ["channel", "topic", "near", "with"];
  if (!channel || /[*>]/.test(channel.name)) return undefined;
  if (view.terms.some(({ operator }) => !allowed.includes(operator))) return undefined;
  const topic = operandOf("topic");
  const nearOperand = operandOf("near");
  if (topic === undefined) return `#**${channel.name}**`;
  if (topic.includes("*")) return undefined;
  return `#**${channel.name}>${topic}${nearOperand === undefined ? "" : `@${nearOperand}`}**`;
}
