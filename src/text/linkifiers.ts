// Applies linkifier patterns in linear time, and builds their links.
import type * as re2js from "re2js";
import { expand } from "./templates/uri-template.ts";

interface LinkifiedText {
  start: number;
  end: number;
  url: string;
}

/** Matches from left to right. A pattern that does not compile matches nothing. */
export function* linkified(
  text: string,
  { pattern, url_template }: { pattern: string; url_template: string },
): Generator<LinkifiedText> {
  const compiled = compiledPattern(pattern);
  if (compiled === undefined || !text.includes(compiled.start)) return;
  const matcher = compiled.regex.matcher(text);
  for (let from = 0; from <= text.length && matcher.find(from);) {
    const [start, end] = [
      matcher.start(compiled.fullMatchGroup),
      matcher.end(compiled.fullMatchGroup),
    ];
    const values: Record<string, string> = {};
    for (const name of compiled.names) {
      const value = matcher.group(name);
      if (value !== null) values[name] = value;
    }
    yield { start, end, url: expand(url_template, values) };
    from = end > from ? end : from + 1;
  }
}

interface Compiled {
  regex: re2js.RE2JS;
  /** Index of the group with the whole match. */
  fullMatchGroup: number;
  names: string[];
  /** A text that every match contains, which is faster to search for. */
  start: string;
}

const PATTERNS_CACHED_MAX = 1_000;
const cache = new Map<string, Compiled | undefined>();

function compiledPattern(pattern: string): Compiled | undefined {
  if (cache.has(pattern)) return cache.get(pattern);
  if (cache.size >= PATTERNS_CACHED_MAX) cache.clear();
  const compiled = compile(pattern);
  cache.set(pattern, compiled);
  return compiled;
}

const BEFORE = String.raw`(^|[\s\x{85}\pZ'"(,:<])`;
const AFTER_PATTERN = String.raw`(?:$|[^\pL\pN])`;

function compile(pattern: string): Compiled | undefined {
  try {
    const names = Object.keys(re2().compile(pattern).namedGroups());
    const regex = re2().compile(withinText(pattern));
    return { regex, fullMatchGroup: 2, names, start: literalStart(pattern) };
  } catch {
    return undefined;
  }
}

const withinText = (pattern: string) => `${BEFORE}(${pattern})${AFTER_PATTERN}`;

/** Returns the letters and digits at the start of a pattern without alternatives. */
function literalStart(pattern: string): string {
  if (pattern.includes("|")) return "";
  const [letters = ""] = /^[A-Za-z0-9#_-]+/.exec(pattern) ?? [];
  return "*?{".includes(pattern[letters.length] ?? " ") ? letters.slice(0, -1) : letters;
}

let loaded: typeof re2js | undefined;

/** Loaded on first use, to keep the start fast. */
function re2(): typeof re2js.RE2JS {
  loaded ??= require("re2js") as typeof re2js;
  return loaded.RE2JS;
}

/** Returns the reason why a pattern is invalid; undefined if it is valid. */
export function patternFault(pattern: string): string | undefined {
  try {
    re2().compile(pattern);
    re2().compile(withinText(pattern));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Returns the group names of a valid pattern. */
export function patternGroups(pattern: string): string[] {
  return Object.keys(re2().compile(pattern).namedGroups());
}
