// Finds alert words in messages.

const BEFORE = characterTable(` \n(".,';[*\`>`);
const FOLLOWING_CHARACTERS = characterTable(` \n)"?:.,';]!*\``);

/**
 * Returns the alert words that occur as separate words, ignoring case. `beginningWith` returns the
 * words with a given beginning, so that the number of lookups depends only on the content.
 */
export function alertWordsIn(
  content: string,
  beginningWith: (beginning: string) => readonly string[],
): Set<string> {
  const text = foldedWord(content);
  const foundWords = new Set<string>();
  const places = new Map<string, number[]>();
  for (let index = 0; index < text.length; index++) {
    if (index > 0 && !BEFORE[text.charCodeAt(index - 1)]) continue;
    const beginning = beginningOf(text, index);
    const wordsAtPlace = places.get(beginning);
    if (wordsAtPlace) wordsAtPlace.push(index);
    else places.set(beginning, [index]);
  }
  for (const [beginning, starts] of places) {
    const words = beginningWith(beginning);
    if (words.length === 0) continue;
    for (const word of new Set(words)) {
      if (starts.some((offset) => isWordAt(text, word, offset))) foundWords.add(word);
    }
  }
  return foundWords;
}

/** Words that differ only in case are equal. */
export const foldedWord = (word: string) => word.toLowerCase();

/**
 * Returns the beginning that a word shares with every text it starts: everything up to the first
 * character that may follow a word. A word of punctuation only starts with one such character.
 */
export function beginningOf(text: string, index = 0): string {
  let end = index + 1;
  while (end < text.length && !FOLLOWING_CHARACTERS[text.charCodeAt(end)]) end++;
  return text.slice(index, end);
}

function isWordAt(text: string, word: string, index: number): boolean {
  const end = index + word.length;
  if (!text.startsWith(word, index)) return false;
  return end === text.length || FOLLOWING_CHARACTERS[text.charCodeAt(end)] === true;
}

/** A lookup table by character code. */
function characterTable(text: string): readonly (true | undefined)[] {
  const table: (true | undefined)[] = Array.from({ length: 128 });
  for (const character of text) table[character.charCodeAt(0)] = true;
  return table;
}
