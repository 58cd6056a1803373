// Finds sections of the help pages that contain the typed text, most likely first.
import { folded, isInWord } from "../matching.ts";
import { itemAt } from "../content/item-at.ts";

/** A section of a page, below one of its headings. */
export interface HelpPart {
  /** Path as links from sibling pages contain it: "inbox/", or "" for the contents. */
  readonly page: string;
  readonly title: string;
  /** "" before the first heading. */
  readonly heading: string;
  /** Anchor of the heading. */
  readonly id: string;
  readonly text: string;
}

export interface FoundPart {
  readonly part: HelpPart;
  /** The text around the first match, and the position of the match in it. */
  readonly excerpt: string;
  readonly from: number;
  readonly to: number;
}

const RESULTS_MAX = 8;
const AROUND_LENGTH = 90;
const AHEAD_LENGTH = 30;
/** Weights of a word by its position. */
const FIELD_SCORES = { title: 8, heading: 5, text: 1 } as const;
/** Matches within a word count less, but count, because German has long compounds. */
const LATER_WORD_FACTOR = 0.3;

export function searchHelp(helpParts: readonly HelpPart[], query: string): FoundPart[] {
  const words = folded(query).split(/\s+/u).filter(Boolean);
  if (words.length === 0) return [];
  const matches = helpParts.flatMap((helpPart) => {
    const scores = words.map((word) => scoreOf(helpPart, word));
    if (scores.some((score) => score === 0)) return [];
    return [{ part: helpPart, worth: scores.reduce((sum, score) => sum + score, 0) }];
  });
  matches.sort((a, b) => b.worth - a.worth);
  return matches.slice(0, RESULTS_MAX).map(({ part }) => toFoundPart(part, words));
}

function scoreOf(helpPart: HelpPart, word: string): number {
  const scores = (["title", "heading", "text"] as const).map((field) => {
    const text = folded(helpPart[field]);
    const index = indexOfWord(text, word);
    return index === -1 ? 0 : FIELD_SCORES[field] * (begins(text, index) ? 1 : LATER_WORD_FACTOR);
  });
  return scores.reduce((sum, score) => sum + score, 0);
}

const begins = (text: string, index: number) => index === 0 || !isInWord(itemAt(text, index - 1));

/** Prefers the start of a word; -1 if it does not occur. */
function indexOfWord(text: string, word: string): number {
  for (let index = text.indexOf(word); index !== -1; index = text.indexOf(word, index + 1)) {
    if (begins(text, index)) return index;
  }
  return text.indexOf(word);
}

function toFoundPart(helpPart: HelpPart, words: readonly string[]): FoundPart {
  const { text } = helpPart;
  // If folding changed the length of the text, positions may differ. Then the excerpt is the
  // beginning of the text.
  const foldedText = folded(text);
  const positions =
    foldedText.length === text.length ? words.map((word) => indexOfWord(foldedText, word)) : [];
  const index = positions.findIndex((position) => position !== -1);
  if (index === -1) return { part: helpPart, excerpt: excerptFrom(text, 0), from: 0, to: 0 };
  const location = itemAt(positions, index);
  const start = location <= AHEAD_LENGTH ? 0 : text.lastIndexOf(" ", location - AHEAD_LENGTH) + 1;
  const lead = start === 0 ? "" : "… ";
  const from = lead.length + location - start;
  return {
    part: helpPart,
    excerpt: lead + excerptFrom(text, start),
    from,
    to: from + itemAt(words, index).length,
  };
}

/** Cuts between words. */
function excerptFrom(text: string, start: number): string {
  const excerpt = text.slice(start, start + AROUND_LENGTH);
  if (start + AROUND_LENGTH >= text.length) return excerpt;
  const end = excerpt.lastIndexOf(" ");
  return `${end === -1 ? excerpt : excerpt.slice(0, end)} …`;
}
