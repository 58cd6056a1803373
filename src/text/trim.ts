// Trims characters from the ends of a text in linear time, unlike a regular expression.

/** A pattern that matches one character. */
type CharacterPattern = RegExp;

export function withoutEnd(text: string, character: CharacterPattern): string {
  let end = text.length;
  while (end > 0) {
    const from = end - (isPair(text, end - 2) ? 2 : 1);
    if (!character.test(text.slice(from, end))) break;
    end = from;
  }
  return text.slice(0, end);
}

export function withoutEnds(text: string, character: CharacterPattern): string {
  return withoutEnd(withoutStart(text, character), character);
}

function withoutStart(text: string, sign: CharacterPattern): string {
  let from = 0;
  for (const character of text) {
    if (!sign.test(character)) break;
    from += character.length;
  }
  return text.slice(from);
}

/** The protocol's white space: unlike `trim`, it excludes U+FEFF. */
const SPACE = /[^\S\ufeff]/;

export function withoutOuterSpace(text: string): string {
  return text.includes("\ufeff") ? withoutEnds(text, SPACE) : text.trim();
}

export function withoutSpaceBefore(text: string): string {
  return text.includes("\ufeff") ? withoutStart(text, SPACE) : text.trimStart();
}

const isPair = (text: string, index: number) => index >= 0 && text.codePointAt(index)! > 0xffff;
