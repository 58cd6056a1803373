// Converts the markup of Slack's webhooks to Markdown.
import { ownValue } from "../input/own-value.ts";
import { withoutEnds } from "../trim.ts";
import { fenced } from "../markdown/make-fence.ts";
import { entityOf, plainMarkdown } from "./plain.ts";

/** Delimiters of placeholders. No text contains them. */
const [OPEN, CLOSE] = ["\uE000", "\uE001"];
const MARKS = /[\uE000\uE001]/g;
const MARK = /\uE000(\d+)\uE001/g;

/** Code, a reference (link, mention or date) or a URL. Formatting applies to the text between. */
const TOKEN = new RegExp(
  "```([^]*?)```|`[^`\\n]+`|<([^<>\\n]{1,4000})>|" +
    // A URL with a scheme, or a domain with a path. Each matches only at the start of a name.
    String.raw`(?<![\p{L}\p{N}.@-])(?:[a-z][a-z\d+-]{1,20}:\/\/|` +
    String.raw`(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d{1,5})?[\/?#])[^\s<>|` +
    "`]+",
  "giu",
);
const BOLD = /(^|[^\p{L}\p{N}*])\*(?=[^\s*])([^*\n]*[^*\s])\*(?![\p{L}\p{N}*])/gu;
const ITALIC = /(^|[^\p{L}\p{N}_])_(?=[^\s_])([^_\n]*[^_\s])_(?![\p{L}\p{N}_])/gu;
const STRIKETHROUGH = /(^|[^\p{L}\p{N}~])~(?=[^\s~])([^~\n]*[^~\s])~(?![\p{L}\p{N}~])/gu;

export function markdownOfMrkdwn(mrkdwn: string): string {
  const replacements: string[] = [];
  const marked = withTokens(mrkdwn.replace(MARKS, ""), (token) => {
    return `${OPEN}${replacements.push(token) - 1}${CLOSE}`;
  });
  const formatted = marked
    .replace(BOLD, "$1**$2**")
    .replace(ITALIC, "$1*$2*")
    .replace(STRIKETHROUGH, "$1~~$2~~");
  return unescaped(formatted).replace(
    MARK,
    (_, index: string) => replacements[Number(index)] ?? "",
  );
}

/** The text with every token, as Markdown, replaced by what `addToken` returns for it. */
function withTokens(text: string, addToken: (token: string) => string): string {
  const pieces: string[] = [];
  const counts = new SignCounts();
  let from = 0;
  const add = (piece: string) => {
    pieces.push(piece);
    counts.add(piece);
  };
  for (const match of text.matchAll(TOKEN)) {
    const [token, block, reference] = match;
    add(text.slice(from, match.index));
    from = match.index + token.length;
    if (block !== undefined) {
      pieces.push(addToken(`\n${codeBlock(unescaped(block))}\n`));
      counts.clear();
    } else if (reference !== undefined) {
      const target = referenceOf(reference);
      if (target === undefined) add(token);
      else pieces.push(addToken(target));
    } else if (token.startsWith("`")) pieces.push(addToken(unescaped(token)));
    else {
      const url = token.slice(0, counts.endOfUrl(token));
      pieces.push(addToken(unescaped(url)));
      from = match.index + url.length;
    }
  }
  return pieces.join("") + text.slice(from);
}

/**
 * Counts the formatting characters of the current line, which tells whether such a character ends a
 * URL or formats the text.
 */
class SignCounts {
  private readonly counts = new Map<string, number>();

  add(piece: string): void {
    for (const [character] of piece.matchAll(/[*_~\n]/g)) {
      if (character === "\n") this.clear();
      else this.counts.set(character, (this.counts.get(character) ?? 0) + 1);
    }
  }

  clear(): void {
    this.counts.clear();
  }

  /**
   * In `*see https://a.example/*`, the last asterisk ends the bold text that began before the URL.
   */
  endOfUrl(url: string): number {
    const end = URL_END.exec(url)!.index;
    for (let index = end; index < url.length; index++) {
      if ((this.counts.get(url[index]!) ?? 0) % 2 === 1) return index;
    }
    return url.length;
  }
}

/**
 * Formatting characters and punctuation at the end of a URL. The lookbehind makes the search
 * linear.
 */
const URL_END = /(?<![*_~.,!?;:'")\]}])[*_~.,!?;:'")\]}]*$/;

/** Code on separate lines, in a fence that is longer than any inside it. */
export function codeBlock(code: string, language = ""): string {
  return fenced(language, withoutEnds(code, /\n/));
}

/** Characters of a link's text that would be markup. */
const MARKUP = /[*_~`\\[\]<>$\n]/g;

export function linkTo(url: string, text: string): string {
  const escaped = text.replace(MARKUP, (character) =>
    character === "\n" ? " " : entityOf(character),
  );
  if (!ADDRESS.test(url)) return escaped;
  const address = url
    .trim()
    .replace(/[\s()<>|]/g, encodeURIComponent)
    .replace(/[()]/g, percent);
  return escaped.trim() === "" ? address : `[${escaped}](${address})`;
}

const ADDRESS = /^\s*(?:https?:\/\/|mailto:|tel:)/i;
const percent = (character: string) => `%${character.charCodeAt(0).toString(16)}`;

const EVERYONE = /^!(?:here|channel|everyone|group)(?:\||$)/;
const DATE = /^!date\^(-?\d{1,12})\^/;

/**
 * Users and channels of Slack are unknown here, so only their names are shown, without a mention.
 */
function referenceOf(inner: string): string | undefined {
  const bar = inner.indexOf("|");
  const target = bar < 0 ? inner : inner.slice(0, bar);
  const text = unescaped(bar < 0 ? "" : inner.slice(bar + 1));
  if (EVERYONE.test(inner)) return "@**all**";
  const [, seconds] = DATE.exec(target) ?? [];
  if (seconds !== undefined) return `<time:${seconds}>`;
  if (target.startsWith("!")) return plainMarkdown(text || target.slice(1));
  if (/^[@#]/.test(target)) {
    return target[0]! + plainMarkdown(text.replace(/^[@#]/, "") || target.slice(1));
  }
  if (!ADDRESS.test(target)) return undefined;
  return linkTo(unescaped(target), text);
}

const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

function unescaped(text: string): string {
  return text.replace(/&(?:lt|gt|amp);/g, (entity) => ownValue(ENTITIES, entity)!);
}
