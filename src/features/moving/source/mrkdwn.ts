// Converts Slack's mrkdwn to Markdown, except in code.
import { addressLink, bareAddress, withAddresses } from "../../../text/html/bare-address.ts";
import { escapeBrackets, escapeMarkdown } from "../../../text/html/escape-markdown.ts";
import { emphasized, MENTION } from "./emphasis.ts";
import { withEmojiNames } from "./emoji-names.ts";
import { type MentionNames, withoutMarks } from "./inserted-names.ts";
import { convertQuotes } from "./quoted-lines.ts";
import type { SlackStyle } from "./records-rules.ts";

const CODE = /```[^]*?```|`[^`\n]+`/g;
const TAG = /<([^<>\n]*)>/g;
/** Mark the placeholders of inline code and links, and of code blocks, while text is converted. */
const [INLINE, BLOCK] = ["\u0002", "\u0003"];
const INSERTED = /[\u0001-\u0003](\d+)[\u0001-\u0003]/g;

const QUOTES = { line: /^&gt;(?!&gt;&gt;) ?/, rest: /^&gt;&gt;&gt; ?/ };

export const markdownOf = (given: string, names: MentionNames): string =>
  convertQuotes(given, QUOTES, (part) => convertedPart(part, names));

function convertedPart(given: string, names: MentionNames): string {
  const inserted: string[] = [];
  const mark = (kind: string, text: string) => `${kind}${inserted.push(text) - 1}${kind}`;
  const text = given
    .replaceAll(/[\u0001-\u0005]/g, "")
    .replaceAll(CODE, (code) => {
      return mark(code.startsWith("```") ? BLOCK : INLINE, codeOf(code, names));
    })
    .replaceAll(TAG, (_tag, inner: string) => {
      const isMention = /^(?:[@#]|!(?!date))/.test(inner);
      return mark(isMention ? MENTION : INLINE, tagOf(inner, names));
    });
  const output = styled(text).replaceAll(INSERTED, (_mark, index: string) => {
    return inserted[Number(index)] ?? "";
  });
  return withAddresses(output);
}

function codeOf(code: string, names: MentionNames): string {
  const codeText = unescaped(code.replaceAll(/<([^<>]*)>/g, (_, inner) => linkText(inner, names)));
  if (!codeText.startsWith("```")) return codeText;
  const body = codeText.slice(3, -3).replace(/^\n/, "").replace(/\n$/, "");
  const fence = body.includes("```") ? "~~~~" : "```";
  return `\n${fence}\n${body}\n${fence}\n`;
}

/** Returns the text of a link in code, where Markdown has no links. */
function linkText(inner: string, names: MentionNames): string {
  const [target = "", label] = inner.split("|", 2);
  if (target.startsWith("@")) return withoutMarks(names.user(target.slice(1))).replaceAll("*", "");
  if (target.startsWith("#")) return label ? `#${label}` : target;
  return label ?? target;
}

function tagOf(inner: string, names: MentionNames): string {
  const bar = inner.indexOf("|");
  const parts = bar < 0 ? [inner, ""] : [inner.slice(0, bar), inner.slice(bar + 1)];
  const [target = "", label = ""] = parts.map(unescaped);
  if (/^@(?:here|channel|everyone)$/.test(target)) return specialOf(target.slice(1), label);
  if (target.startsWith("@")) return names.user(target.slice(1), label || undefined);
  if (target.startsWith("#")) return names.channel(target.slice(1), label || undefined);
  if (target.startsWith("!")) return specialOf(target.slice(1), label);
  if (!/^(https?|mailto|tel|ftp|slack):/i.test(target)) return plainOf(`&lt;${inner}&gt;`);
  return inlineLinkOf(target, label === target ? "" : escapeMarkdown(label, false));
}

/** A user group whose name the archive does not have. */
export const UNNAMED_GROUP = "@user-group";

function specialOf(name: string, label: string): string {
  if (/^(here|channel|everyone|group)$/.test(name)) return "@**all**";
  const [, seconds] = /^date\^(\d+)\^/.exec(name) ?? [];
  if (seconds !== undefined) return timeOf(Number(seconds)) || label;
  if (name.startsWith("subteam^")) return label || UNNAMED_GROUP;
  return label || `@${name.split("^")[0]}`;
}

/** A time that is displayed in each reader's time zone; empty if it is out of range. */
export function timeOf(seconds: number): string {
  if (!(seconds > 0 && seconds < 1e11)) return "";
  return `<time:${new Date(seconds * 1000).toISOString().slice(0, 19)}Z>`;
}

/** A field of a card; its name may be empty. */
export const fieldOf = (name: string, value: string) => (name ? `**${name}**: ${value}` : value);

export function linkOf(url: string, label: string): string {
  const address = url.replaceAll(/[\s()]/g, (letter) => encodeURIComponent(letter) || letter);
  const safe = address.replaceAll("(", "%28").replaceAll(")", "%29");
  if (label === "") return shownAddress(url);
  if (label === url) return addressLink(shownAddress(url));
  return `[${escapeBrackets(label)}](${safe})`;
}

const shownAddress = (url: string) => (url.startsWith("mailto:") ? url.slice(7) : url);

/** A link in a text that `withAddresses` completes. */
export const inlineLinkOf = (url: string, label: string) =>
  label === "" ? bareAddress(shownAddress(url)) : linkOf(url, label);

const BORDER_BEFORE = String.raw`\s({["'>—–\u0001-\u0003-`;
const BORDER_AFTER = String.raw`\s)}\]"'.,:;!?<—–\u0001-\u0003-`;
/** Matches text between two marks, beside which the marks of other styles may be. */
function styleOf(mark: string, others: string): RegExp {
  const inner = String.raw`(?!\s)([^\n\u0003${mark}]+)(?<!\s)`;
  const before = `(?<=^|[${others}${BORDER_BEFORE}])`;
  return new RegExp(`${before}\\${mark}${inner}\\${mark}(?=$|[${others}${BORDER_AFTER}])`, "g");
}
const STYLES: readonly (readonly [name: keyof SlackStyle, style: RegExp])[] = [
  ["bold", styleOf("*", "_~")],
  ["italic", styleOf("_", "*~")],
  ["strike", styleOf("~", "*_")],
];

function styled(text: string): string {
  const lines = withEmojiNames(text).split("\n");
  return lines.map(lineOf).join("\n");
}

/** The mark of an item of a list. */
const LINE_MARK = /^([ \t]*)[•◦▪] ?/;

function lineOf(line: string): string {
  const [mark = "", indent = ""] = LINE_MARK.exec(line) ?? [];
  const shown = mark === "" ? "" : `${indent}* `;
  return shown + withStyles(line.slice(mark.length), {});
}

/** Splits text into a run for each combination of styles, since the marks cannot be nested. */
function withStyles(line: string, style: SlackStyle): string {
  const matches = STYLES.flatMap(([name, regex]) => {
    return style[name] ? [] : [...line.matchAll(regex)].map((match) => ({ name, match }));
  }).sort((a, b) => a.match.index - b.match.index);
  let output = "";
  let from = 0;
  for (const { name, match } of matches) {
    if (match.index < from) continue;
    output += emphasized(plainOf(line.slice(from, match.index), from === 0), style);
    output += withStyles(match[1] ?? "", { ...style, [name]: true });
    from = match.index + match[0].length;
  }
  return output + emphasized(plainOf(line.slice(from), from === 0), style);
}

/** Text without markup, in which Slack escapes `&`, `<` and `>`. */
export const plainOf = (text: string, isLineStart = true) =>
  escapeMarkdown(unescaped(text), isLineStart);

function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
