// What is pasted becomes what one would have written: Markdown, links, tables, fences.
import { viewOf } from "../../views.ts";
import { now } from "../../live.ts";
import { parsePasted } from "../../content/pasted.ts";
import { type Edit, fenced, put, putBlock, type Written } from "./edits.ts";
import { addressIn } from "./link.ts";
import { markdownOf, tableFrom } from "./markdown.ts";

/** More is better read as a file. */
export const TEXT_BYTES_MAX = 20_000;
/** Editors write their code in a font of equal widths, as one block. */
const FROM_EDITOR =
  /vscode|data-vscode|JetBrains|font-family:[^;"']*(mono|consolas|menlo|courier)/i;
const FROM_SHEET =
  /<(table|google-sheets-html-origin)[\s>]|urn:schemas-microsoft-com:office:excel/i;

export interface Pasted {
  readonly text: string;
  readonly html: string;
}

/** Undefined: as the browser pastes it. */
export function pasted(written: Written, { text, html }: Pasted): Edit | undefined {
  const { start, end } = written;
  const link = linkHere(text);
  const address = addressIn(text);
  if (address !== undefined) {
    const chosen = written.text.slice(start, end);
    const isWords = chosen.trim() !== "" && addressIn(chosen) === undefined;
    if (isWords && !chosen.includes("\n")) return put(written, `[${chosen}](${address})`);
    return link === undefined ? undefined : put(written, link);
  }
  if (html === "") return undefined;
  if (FROM_EDITOR.test(html) && text.includes("\n") && !FROM_SHEET.test(html)) {
    return block(written, text.replace(/\n+$/, ""));
  }
  if (FROM_SHEET.test(html) && text.includes("\t")) {
    const rows = text.replace(/\r?\n$/, "").split(/\r?\n/);
    return putBlock(written, tableFrom(rows.map((row) => row.split("\t"))));
  }
  const markdown = markdownOf(parsePasted(html));
  if (markdown === "" || markdown === text.trim()) return undefined;
  return markdown.includes("\n") ? putBlock(written, markdown) : put(written, markdown);
}

function block(written: Written, text: string): Edit {
  const inside = fenced({ text, start: 0, end: text.length }, "");
  return putBlock(written, inside.put);
}

/** An address of ours, as one writes it in a message: `#**channel>topic@id**`. */
export function linkHere(text: string): string | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith(`${location.origin}/`)) return undefined;
  const view = viewOf(new URL(trimmed).hash);
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
