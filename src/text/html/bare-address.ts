// Writes addresses as Markdown without a link text, so that the characters around an address do not
// become part of it.
import { escapeBrackets } from "./escape-markdown.ts";

/** Encloses an address until the text around it is known. */
const MARK = "\u0005";
const MARKED = /\u0005([^\u0005\n]*)\u0005/g;
/** Text before and after an address between which the renderer finds its start and its end. */
const [BEFORE, BEFORE_EMAIL, AFTER] = [
  /^[\s(\u0080-\uffff]?$/,
  /^[\s(]?$/,
  /^\)?[.,;:!?]?(?:\s|$)/,
];
const AFTER_LENGTH_MAX = 3;
/** Addresses that may become links; the renderer displays those of other schemes as text. */
const LINKABLE = /^https?:|^[^\s:/]+@/i;
const ANGLED = /<(https?:\/\/[^\s<>]{1,2000})>/g;
const MARKUP = /[*~`|$]/g;

export const bareAddress = (url: string) => MARK + url.replaceAll(MARK, "") + MARK;

/** Keeps an address as it is between spaces, and repeats it as the text of a link elsewhere. */
export function withAddresses(text: string): string {
  if (!text.includes(MARK)) return text;
  return text
    .replaceAll(MARKED, (marked, url: string, at: number) => {
      const end = at + marked.length;
      const after = text.slice(end, end + AFTER_LENGTH_MAX);
      const before = text.slice(Math.max(0, at - 1), at);
      const start = url.includes("://") ? BEFORE : BEFORE_EMAIL;
      const isSeparate = start.test(before) && AFTER.test(after);
      return isSeparate || !LINKABLE.test(url) ? url : addressLink(url);
    })
    .replaceAll(MARK, "");
}

/** Removes the angle brackets around addresses, which the renderer displays. */
export const withoutAngles = (text: string) =>
  withAddresses(text.replaceAll(ANGLED, (_angled, url: string) => bareAddress(url)));

/** A link whose text is its address. */
export function addressLink(url: string): string {
  const shown = url.replaceAll(MARKUP, (mark) => `&#${mark.charCodeAt(0)};`);
  return `[${escapeBrackets(shown)}](${linkTarget(targetOf(url))})`;
}

const targetOf = (url: string) => (/^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `mailto:${url}`);

/** The address in the parentheses of a link, without characters that end it or are markup. */
const linkTarget = (url: string) =>
  url.replaceAll(/[\s()*~`|$]/g, (letter) => {
    return `%${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  });
