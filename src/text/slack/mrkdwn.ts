// Slack's markup, as its webhooks write it, turned into ours.
import { withoutEnds } from "../ends.ts";

/** What was put aside while the rest is read has a mark in its place: no text holds these two. */
const [OPEN, CLOSE] = ["\uE000", "\uE001"];
const MARKS = /[\uE000\uE001]/g;
const MARK = /\uE000(\d+)\uE001/g;

const BLOCK = /```([^]*?)```/g;
const CODE = /`[^`\n]+`/g;
/** A link, a mention or a date. */
const REFERENCE = /<([^<>\n]{1,4000})>/g;
const BOLD = /(^|[^\p{L}\p{N}*])\*(?=[^\s*])([^*\n]*[^*\s])\*(?![\p{L}\p{N}*])/gu;
const ITALIC = /(^|[^\p{L}\p{N}_])_(?=[^\s_])([^_\n]*[^_\s])_(?![\p{L}\p{N}_])/gu;
const STRUCK = /(^|[^\p{L}\p{N}~])~(?=[^\s~])([^~\n]*[^~\s])~(?![\p{L}\p{N}~])/gu;

export function markdownOfMrkdwn(mrkdwn: string): string {
  const aside: string[] = [];
  const putAside = (text: string) => `${OPEN}${aside.push(text) - 1}${CLOSE}`;
  const marked = mrkdwn
    .replace(MARKS, "")
    .replace(BLOCK, (_, code: string) => putAside(`\n${codeBlock(unescaped(code))}\n`))
    .replace(CODE, (code) => putAside(unescaped(code)))
    .replace(REFERENCE, (whole, inner: string) => {
      const meant = referenceOf(inner);
      return meant === undefined ? whole : putAside(meant);
    })
    .replace(BOLD, "$1**$2**")
    .replace(ITALIC, "$1*$2*")
    .replace(STRUCK, "$1~~$2~~");
  return unescaped(marked).replace(MARK, (_, at: string) => aside[Number(at)] ?? "");
}

/** Code on lines of its own, in a fence that nothing in it ends. */
export function codeBlock(code: string, language = ""): string {
  const longest = [...code.matchAll(/`{3,}/g)].reduce(
    (most, [run]) => Math.max(most, run.length),
    2,
  );
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${withoutEnds(code, /\n/)}\n${fence}`;
}

/** What would be markup inside a link's words. */
const MARKUP = /[*_~`\\[\]<>$\n]/g;

export function linkTo(url: string, words: string): string {
  const plain = words.replace(MARKUP, (sign) => (sign === "\n" ? " " : entityOf(sign)));
  if (!ADDRESS.test(url)) return plain;
  const address = url
    .trim()
    .replace(/[\s()<>]/g, encodeURIComponent)
    .replace(/[()]/g, percent);
  return plain.trim() === "" ? address : `[${plain}](${address})`;
}

const ADDRESS = /^\s*(?:https?:\/\/|mailto:|tel:)/i;
const entityOf = (sign: string) => `&#${sign.charCodeAt(0)};`;
const percent = (sign: string) => `%${sign.charCodeAt(0).toString(16)}`;

const EVERYONE = /^!(?:here|channel|everyone|group)(?:\||$)/;
const DATE = /^!date\^(-?\d{1,12})\^/;

/** People and channels of Slack are none of ours: their names are kept, and nobody is called. */
function referenceOf(inner: string): string | undefined {
  const bar = inner.indexOf("|");
  const target = bar < 0 ? inner : inner.slice(0, bar);
  const words = unescaped(bar < 0 ? "" : inner.slice(bar + 1));
  if (EVERYONE.test(inner)) return "@**all**";
  const [, seconds] = DATE.exec(target) ?? [];
  if (seconds !== undefined) return `<time:${seconds}>`;
  if (target.startsWith("!")) return words || target.slice(1);
  if (/^[@#]/.test(target)) return target[0]! + (words.replace(/^[@#]/, "") || target.slice(1));
  if (!ADDRESS.test(target)) return undefined;
  return linkTo(unescaped(target), words);
}

const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

function unescaped(text: string): string {
  return text.replace(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity]!);
}
