// Links for bare URLs, domains, and email and bitcoin addresses.
import tlds from "tlds";
import { hrefOf } from "../addresses.ts";
import { link } from "./link.ts";
import type { Passage } from "./patterns.ts";

export function autolinks(text: string, context: Passage): string {
  let out = "";
  let end = 0;
  for (const foundAddress of addressesIn(text)) {
    const href = hrefOf(foundAddress.url, context.context.realm_url);
    if (href === undefined) continue;
    const typed = text.slice(foundAddress.start, foundAddress.end);
    out += text.slice(end, foundAddress.start);
    out += context.placeholderFor(link(context, { href, words: [typed], isBare: true }));
    end = foundAddress.end;
  }
  return end === 0 ? text : out + text.slice(end);
}

export interface FoundAddress {
  start: number;
  end: number;
  /** The URL with a scheme, even if none was typed. */
  url: string;
}

const MARK_END_CODE = 3;
/** Chinese and Japanese punctuation ends a URL like a space. */
const WIDE_PUNCTUATION =
  "\\u3001\\u3002\\u3008-\\u3011\\u3014-\\u301b\\uff01\\uff08\\uff09\\uff0c\\uff0e" +
  "\\uff1a\\uff1b\\uff1f\\uff3b\\uff3d\\uff5b\\uff5d\\uff61-\\uff64";
const ADDRESS_WORD = new RegExp(`[^\\s\\u0002\\u0003${WIDE_PUNCTUATION}]+`, "g");

/** Returns the addresses in order, without overlaps. */
export function addressesIn(text: string): FoundAddress[] {
  const addresses: FoundAddress[] = [];
  if (!/[.:@]\S/.test(text)) return addresses;
  for (const { 0: word, index } of text.matchAll(ADDRESS_WORD)) {
    if (!/[.:@]\S/.test(word)) continue;
    const isAfterMark = text.charCodeAt(index - 1) === MARK_END_CODE;
    addressesInWord(word, index, isAfterMark, addresses);
  }
  return addresses;
}

const OPENING_CHARACTERS = "'\"(,:<";
/** Includes closing quotation marks and the full stops of other scripts. */
const END_PATTERN =
  "!:;?),.'\">\u2018\u2019\u201c\u201d\u00bb\u203a\u2026\u060c\u061b\u061f\u0964\u06d4";

/**
 * A URL starts at the beginning of a word or after opening punctuation, and one with a scheme also
 * after a letter of a script without spaces. Only closing punctuation may follow it.
 */
function addressesInWord(
  word: string,
  offset: number,
  isAfterMark: boolean,
  addresses: FoundAddress[],
) {
  let min = word.length;
  while (min > 0 && END_PATTERN.includes(word[min - 1]!)) min--;
  for (let start = 0; start < min; start++) {
    if (start === 0 ? isAfterMark : !opensAddress(word, start)) continue;
    const address = addressAt(word, start, min);
    if (address === undefined) continue;
    const { end, scheme } = address;
    addresses.push({
      start: offset + start,
      end: offset + end,
      url: scheme + word.slice(start, end),
    });
    start = end - 1;
  }
}

function opensAddress(word: string, start: number): boolean {
  const before = word[start - 1]!;
  if (before < "\u0080") return OPENING_CHARACTERS.includes(before);
  return isLetter(before) ? schemeEnd(word, start) > start : true;
}

/** Half a surrogate pair counts as a letter, because no URL starts inside a pair. */
function isLetter(unit: string): boolean {
  return /[\p{L}\p{M}\p{N}\p{Cs}]/u.test(unit);
}

interface Address {
  end: number;
  scheme: string;
}

/**
 * `min`: where the closing punctuation of the word starts. The URL ends there, or later if a
 * bracket must be closed.
 */
function addressAt(word: string, start: number, min: number): Address | undefined {
  const scheme = schemeEnd(word, start);
  if (scheme > start) {
    const literal = runEnd(IPV6_HOST, word, scheme);
    const host = literal > scheme ? literal : runEnd(/[\p{L}\p{N}_.:@-]+/uy, word, scheme);
    const end = host > scheme ? addressEnd(word, host, min) : undefined;
    return end === undefined ? undefined : { end, scheme: "" };
  }
  const coins = runEnd(/bitcoin:[13][a-km-zA-HJ-NP-Z1-9]{25,34}/y, word, start);
  if (coins > start) return coins >= min ? { end: coins, scheme: "" } : undefined;

  const name = Math.min(runEnd(/[\p{L}\p{N}_.-]+/uy, word, start), min);
  if (name === start) return undefined;
  if (word[name] === "@") return isEmail(word.slice(start, min)) ? mailto(min) : undefined;
  if (!isDomain(word.slice(start, name))) return undefined;
  const port = name < min ? runEnd(/:[0-9]+/y, word, name) : name;
  const end = addressEnd(word, port, min);
  return end === undefined ? undefined : { end, scheme: "http://" };
}

/** The end of a scheme that is linked without brackets. */
function schemeEnd(word: string, start: number): number {
  return runEnd(/(?:https?|hansoft|obsidian|zotero|asanadesktop):\/\//y, word, start);
}

/** An IPv6 address in brackets, with an optional port. */
const IPV6_HOST = new RegExp(
  "\\[(?:[0-9a-f]{0,4}:){2,7}(?:[0-9a-f]{0,4}|(?:[0-9]{1,3}\\.){3}[0-9]{1,3})\\](?::[0-9]{1,5})?",
  "iy",
);

function mailto(end: number): Address {
  return { end, scheme: "mailto:" };
}

/** The end of a run that starts here, or the start if there is none. */
function runEnd(run: RegExp, word: string, start: number): number {
  run.lastIndex = start;
  return run.test(word) ? run.lastIndex : start;
}

const BRACKETS_NESTED_MAX = 6;

/** The end of a URL whose host ends at `host`: there, or after a path with balanced brackets. */
function addressEnd(word: string, host: number, min: number): number | undefined {
  if (host >= min) return min;
  if (!"/?#".includes(word[host]!)) return undefined;
  let depth = 0;
  for (let i = host + 1; i < word.length; i++) {
    if (depth === 0 && i >= min) return i;
    const character = word[i];
    if (character === '"') return undefined;
    if (character === "(" && ++depth > BRACKETS_NESTED_MAX) return undefined;
    if (character === ")" && --depth < 0) return undefined;
  }
  return depth === 0 ? word.length : undefined;
}

function isEmail(text: string): boolean {
  return /^[\p{L}\p{N}_.-]+@(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}_]+$/u.test(text);
}

/** Extensions of files and code that would often be mistaken for domains. */
const NOT_DOMAINS = ["java", "md", "mov", "py", "zip"];

let topLevel: Set<string> | undefined;

function isDomain(text: string): boolean {
  const dot = text.lastIndexOf(".");
  if (dot <= 0 || text.startsWith(".") || text.includes("..")) return false;
  topLevel ??= new Set(tlds).difference(new Set(NOT_DOMAINS));
  return topLevel.has(text.slice(dot + 1));
}
