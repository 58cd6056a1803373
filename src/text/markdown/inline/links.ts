// Links with a text, `[text](url "title")`, and `![text](…)` for media.
import { hrefOf } from "../addresses.ts";
import { link } from "./link.ts";
import { inlineMedia } from "./media.ts";
import { hasMark, type Passage } from "./patterns.ts";

export function links(text: string, context: Passage): string {
  if (!text.includes("](")) return text;
  const closingBrackets = closersIn(text);
  let out = "";
  let end = 0;
  for (let open = text.indexOf("["); open !== -1; open = text.indexOf("[", open + 1)) {
    const bracket = closingBrackets[open]!;
    if (bracket === 0 || text[bracket + 1] !== "(") continue;
    const address = addressIn(text, bracket + 1, closingBrackets);
    const href = address && hrefOf(address.url, context.context.realm_url);
    if (address === undefined || href === undefined) continue;
    const typed = text.slice(open + 1, bracket);
    const media =
      text[open - 1] === "!" && open > end ? inlineMedia(context, typed, href) : undefined;
    out += text.slice(end, media === undefined ? open : open - 1);
    out += context.placeholderFor(media ?? linkWithText(context, typed, href, address.title));
    end = address.end;
    open = end - 1;
  }
  return end === 0 ? text : out + text.slice(end);
}

function linkWithText(context: Passage, typed: string, href: string, title: string | undefined) {
  if (typed.trim() === "") {
    return link(context, { href, words: [{ literal: href }], isBare: true, title });
  }
  const words = context.restore(typed);
  return link(context, { href, words, isBare: typed === href, title });
}

/**
 * For each opening bracket, round or square, the position of its closing bracket; 0 if there is
 * none.
 */
function closersIn(text: string): Uint32Array {
  const closingBrackets = new Uint32Array(text.length);
  const square: number[] = [];
  const round: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === "[") square.push(i);
    else if (character === "(") round.push(i);
    else if (character === "]" && square.length > 0) closingBrackets[square.pop()!] = i;
    else if (character === ")" && round.length > 0) closingBrackets[round.pop()!] = i;
  }
  return closingBrackets;
}

interface FoundAddress {
  url: string;
  title: string | undefined;
  end: number;
}

const ANGLED = /\(\s*<([^<>\n]*)>(?:\s*(?:"([^"\n]*)"|'([^'\n]*)'))?\s*\)/y;
const TITLED = /^([^]*\S)\s+(?:"([^"\n]*)"|'([^'\n]*)')$/;

/** The URL in the parentheses at `open`, if it is valid. */
function addressIn(
  text: string,
  open: number,
  closingBrackets: Uint32Array,
): FoundAddress | undefined {
  ANGLED.lastIndex = open;
  const angled = ANGLED.exec(text);
  if (angled !== null) {
    return plainLink(angled[1]!.trim(), angled[2] ?? angled[3], ANGLED.lastIndex);
  }
  const close = closingBrackets[open]!;
  if (close === 0) return undefined;
  const destination = text.slice(open + 1, close).trim();
  const titled = /["']$/.test(destination) ? TITLED.exec(destination) : null;
  if (titled === null)
    return /\s/.test(destination) ? undefined : plainLink(destination, undefined, close + 1);
  const url = titled[1]!;
  return /\s/.test(url) ? undefined : plainLink(url, titled[2] ?? titled[3], close + 1);
}

function plainLink(url: string, title: string | undefined, end: number): FoundAddress | undefined {
  if (url === "" || hasMark(url) || (title !== undefined && hasMark(title))) return undefined;
  return { url, title, end };
}
