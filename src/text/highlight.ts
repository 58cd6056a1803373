// Highlights search matches in a text or in rendered HTML.
import { escapeLiteral } from "./markdown/serialize.ts";
import { decoded } from "./plain-text.ts";
import { matchesQuery, type ParsedQuery } from "./search/query.ts";
import { folded, isUnspaced, WORDS } from "./search/words.ts";

const BEGIN = '<span class="highlight">';
const END = "</span>";

/** Returns the text as HTML. `asParts`: also highlights matches inside words. */
export function highlightedText(text: string, query: ParsedQuery, asParts = false): string {
  return highlightedPiece(escapeLiteral(text), query, asParts);
}

/** A match never spans several text nodes. */
export function highlightedHtml(html: string, query: ParsedQuery, asParts = false): string {
  return html.replace(TAG_OR_TEXT, (piece) =>
    piece.startsWith("<") ? piece : highlightedPiece(piece, query, asParts),
  );
}

const TAG_OR_TEXT = /<[^<>]*>|[^<]+/g;
/** A visible character with its combining marks, or an entity. */
const CHARACTER = /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});|[\s\S]\p{M}*/giu;
/** Text without entities whose length does not change when folded. */
const PLAIN = /^[\t\n\r -%'-~]*$/;

interface Span {
  from: number;
  to: number;
}

/** Text between two tags, with entities. */
function highlightedPiece(piece: string, query: ParsedQuery, asParts: boolean): string {
  const { text, placeOf } = foldedPiece(piece);
  const hits = [...wordHits(text, query, asParts), ...literalHits(text, query)];
  if (hits.length === 0) return piece;
  let [marked, end] = ["", 0];
  for (const { from, to } of mergeSpans(hits)) {
    const [first, last] = [placeOf(from), placeOf(to)];
    if (last <= first) continue;
    marked += piece.slice(end, first) + BEGIN + piece.slice(first, last) + END;
    end = last;
  }
  return marked + piece.slice(end);
}

/** Returns the folded text and a function that maps its positions to the original. */
function foldedPiece(piece: string): { text: string; placeOf: (offset: number) => number } {
  if (PLAIN.test(piece)) return { text: folded(piece), placeOf: (offset) => offset };
  const positions: number[] = [];
  let text = "";
  for (const { 0: character, index } of piece.matchAll(CHARACTER)) {
    const foldedCharacter = folded(character.length > 1 ? decoded(character) : character);
    for (let position = 0; position < foldedCharacter.length; position++) positions.push(index);
    text += foldedCharacter;
  }
  positions.push(piece.length);
  return { text, placeOf: (index) => positions[index]! };
}

function* wordHits(text: string, { words }: ParsedQuery, asParts: boolean): Iterable<Span> {
  for (const { 0: word, index: from } of text.matchAll(WORDS)) {
    if (!asParts && !isUnspaced(word)) {
      if (words.some((query) => matchesQuery(word, query))) yield { from, to: from + word.length };
      continue;
    }
    for (const { exact, prefix } of words) yield* allOf(word, exact ?? prefix!, from);
  }
}

function* literalHits(text: string, { phrases, compounds }: ParsedQuery): Iterable<Span> {
  for (const literal of [...phrases, ...compounds]) yield* allOf(text, literal, 0);
}

function* allOf(text: string, part: string, base: number): Iterable<Span> {
  for (
    let index = text.indexOf(part);
    index >= 0;
    index = text.indexOf(part, index + part.length)
  ) {
    yield { from: base + index, to: base + index + part.length };
  }
}

/** Merges matches that overlap or touch. */
function mergeSpans(hits: readonly Span[]): Span[] {
  const spans: Span[] = [];
  for (const hit of hits.toSorted((a, b) => a.from - b.from)) {
    const last = spans.at(-1);
    if (last && hit.from <= last.to) last.to = Math.max(last.to, hit.to);
    else spans.push({ ...hit });
  }
  return spans;
}
