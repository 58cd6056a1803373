// Converts Slack's mrkdwn to Markdown, except in code.
import { withEmojiNames } from "./emoji-names.ts";

/** Returns the mentions of users and the links to channels on this server. */
export interface MentionNames {
  user(id: string): string;
  channel(id: string, name?: string): string;
}

const CODE = /```[^]*?```|`[^`\n]+`/g;

export function markdownOf(text: string, names: MentionNames): string {
  let converted = "";
  let from = 0;
  for (const { 0: code, index } of text.matchAll(CODE)) {
    converted += inline(text.slice(from, index), names) + codeOf(code, names);
    from = index + code.length;
  }
  return converted + inline(text.slice(from), names);
}

function codeOf(code: string, names: MentionNames): string {
  const codeText = unescaped(code.replaceAll(/<([^<>]*)>/g, (_, inner) => linkText(inner, names)));
  if (!codeText.startsWith("```")) return codeText;
  const body = codeText.slice(3, -3).replace(/^\n/, "").replace(/\n$/, "");
  const fence = body.includes("```") ? "~~~~" : "```";
  return `\n${fence}\n${body}\n${fence}\n`;
}

/** Code cannot contain links, so their text is shown. */
function linkText(inner: string, names: MentionNames): string {
  const [target = "", label] = inner.split("|", 2);
  if (target.startsWith("@")) return names.user(target.slice(1)).replaceAll("*", "");
  if (target.startsWith("#")) return label ? `#${label}` : target;
  return label ?? target;
}

function inline(text: string, names: MentionNames): string {
  const parts = text.split(/(<[^<>\n]*>)/);
  const converted = parts.map((part, index) => {
    return index % 2 === 1 ? tagOf(part.slice(1, -1), names) : styled(part);
  });
  return unescaped(converted.join(""));
}

function tagOf(inner: string, names: MentionNames): string {
  const bar = inner.indexOf("|");
  const [target, label] = bar < 0 ? [inner, ""] : [inner.slice(0, bar), inner.slice(bar + 1)];
  if (target.startsWith("@")) return names.user(target.slice(1));
  if (target.startsWith("#")) return names.channel(target.slice(1), label || undefined);
  if (target.startsWith("!")) return specialOf(target.slice(1), label);
  if (!/^(https?|mailto|tel|ftp|slack):/i.test(target)) return `&lt;${inner}&gt;`;
  return linkOf(target, label);
}

function specialOf(name: string, label: string): string {
  if (/^(here|channel|everyone|group)$/.test(name)) return "@**all**";
  const [, seconds] = /^date\^(\d+)\^/.exec(name) ?? [];
  if (seconds !== undefined) return timeOf(Number(seconds)) || label;
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
  if (label === "" || label === url) return url.startsWith("mailto:") ? url.slice(7) : url;
  return `[${label.replaceAll(/([[\]])/g, "\\$1")}](${safe})`;
}

const BORDER_BEFORE = String.raw`(^|[\s({["'>—–-])`;
const BORDER_AFTER = String.raw`(?=$|[\s)}\]"'.,:;!?<—–-])`;
const styleOf = (mark: string) =>
  new RegExp(`${BORDER_BEFORE}\\${mark}(\\S(?:[^\\n${mark}]*?\\S)?)\\${mark}${BORDER_AFTER}`, "g");
const [BOLD, ITALIC, STRIKE] = [styleOf("*"), styleOf("_"), styleOf("~")];

function styled(text: string): string {
  return withEmojiNames(text)
    .replaceAll(BOLD, "$1**$2**")
    .replaceAll(ITALIC, "$1*$2*")
    .replaceAll(STRIKE, "$1~~$2~~")
    .replaceAll(/^&gt;(&gt;&gt;)? ?/gm, "> ")
    .replaceAll(/^([ \t]*)[•◦▪] ?/gm, "$1* ");
}

export function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
