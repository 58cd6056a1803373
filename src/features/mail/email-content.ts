// The content of an email, and its two forms: plain text and HTML.
import { type Html, markup } from "../i18n/markup.ts";
import type { Language } from "../i18n/translations.ts";

/** A paragraph, a link, or a part that has both forms already. */
export type Block = string | Link | EmailBodies;

interface Link {
  label: string;
  url: string;
}

export interface EmailBodies {
  text: string;
  html: Html;
}

export interface Draft {
  to: { name: string; address: string };
  /** Replaces the operator's sender name. */
  from_name?: string;
  subject: string;
  language: Language;
  blocks: readonly Block[];
  /** Small print at the end: why the user receives this email. */
  footer?: readonly Block[];
  headers?: Readonly<Record<string, string>>;
}

const RULE = "-- ";

export function textOf({ blocks, footer = [] }: Draft): string {
  const parts = blocks.map(inText);
  if (footer.length > 0) parts.push([RULE, ...footer.map(inText)].join("\n"));
  return `${parts.join("\n\n")}\n`;
}

export function htmlOf({ language, subject, blocks, footer = [] }: Draft): string {
  const notes = markup`<hr><div style="font-size:small;color:#666">${footer.map(inHtml)}</div>`;
  return markup`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body style="font-family:sans-serif;line-height:1.5;max-width:40em">
${blocks.map(inHtml)}${footer.length > 0 ? notes : ""}
</body>
</html>
`.text;
}

function inText(block: Block): string {
  if (typeof block === "string") return block;
  return "url" in block ? `${block.label}:\n${block.url}` : block.text;
}

function inHtml(block: Block): Html {
  if (typeof block === "string") return markup`<p>${block}</p>\n`;
  if ("url" in block) return markup`<p><a href="${block.url}">${block.label}</a></p>\n`;
  return block.html;
}
