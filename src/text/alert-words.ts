// Finds the words that people want to be alerted of.

const BEFORE = signs(` \n(".,';[*\`>`);
const AFTER = signs(` \n)"?:.,';]!*\``);

/**
 * The words that stand apart in a content, whatever the case. `beginningWith` gives those that
 * begin in a certain way, so that the content alone says how many are looked at.
 */
export function alertWordsIn(
  content: string,
  beginningWith: (beginning: string) => readonly string[],
): Set<string> {
  const text = foldedWord(content);
  const found = new Set<string>();
  const places = new Map<string, number[]>();
  for (let at = 0; at < text.length; at++) {
    if (at > 0 && !BEFORE[text.charCodeAt(at - 1)]) continue;
    const beginning = beginningOf(text, at);
    const known = places.get(beginning);
    if (known) known.push(at);
    else places.set(beginning, [at]);
  }
  for (const [beginning, starts] of places) {
    const words = beginningWith(beginning);
    if (words.length === 0) continue;
    for (const word of new Set(words)) {
      if (starts.some((at) => standsAt(text, word, at))) found.add(word);
    }
  }
  return found;
}

/** Words that differ in case only are one word. */
export const foldedWord = (word: string) => word.toLowerCase();

/**
 * What any word has in common with every text that it stands at the head of: all up to the first
 * sign that may follow a word. Even a word that is nothing but signs begins with one.
 */
export function beginningOf(text: string, at = 0): string {
  let end = at + 1;
  while (end < text.length && !AFTER[text.charCodeAt(end)]) end++;
  return text.slice(at, end);
}

function standsAt(text: string, word: string, at: number): boolean {
  const end = at + word.length;
  if (!text.startsWith(word, at)) return false;
  return end === text.length || AFTER[text.charCodeAt(end)] === true;
}

/** By code, for a quick look. */
function signs(text: string): readonly (true | undefined)[] {
  const table: (true | undefined)[] = Array.from({ length: 128 });
  for (const sign of text) table[sign.charCodeAt(0)] = true;
  return table;
}
