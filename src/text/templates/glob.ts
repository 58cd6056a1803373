// Shell patterns for webhook filters: `*`, `?`, `[abc]`, `[!a-z]`.

const WILDCARD = "*";

/** Time is at most the product of both lengths. */
export function matchesGlob(text: string, pattern: string): boolean {
  const parts = partsOf(pattern);
  let [index, part] = [0, 0];
  /** The position after the last star, and how much text it has matched. */
  let star: { part: number; position: number } | undefined;
  while (index < text.length) {
    const expectedPart = parts[part];
    if (expectedPart === WILDCARD) {
      part += 1;
      star = { part, position: index };
    } else if (expectedPart !== undefined && isOneOf(expectedPart, text[index]!)) {
      part += 1;
      index += 1;
    } else if (star) {
      star.position += 1;
      ({ part, position: index } = star);
    } else {
      return false;
    }
  }
  return parts.slice(part).every((restPart) => restPart === WILDCARD);
}

type Part =
  typeof WILDCARD | { readonly isNot: boolean; readonly ranges: readonly [string, string][] };

const ANY_CHARACTER: Part = { isNot: true, ranges: [] };
const PART = /\*+|\?|\[(!?)(\]?[^\]]*)\]|[^]/g;

function partsOf(pattern: string): Part[] {
  return [...pattern.matchAll(PART)].map(([character, not, set]): Part => {
    if (character.startsWith("*")) return WILDCARD;
    if (character === "?") return ANY_CHARACTER;
    if (set === undefined) return { isNot: false, ranges: [[character, character]] };
    const ranges = [...set.matchAll(/([^])-([^])|([^])/g)].map(
      ([, from, to, item]): [string, string] => [from ?? item!, to ?? item!],
    );
    return { isNot: not === "!", ranges };
  });
}

function isOneOf(part: Exclude<Part, typeof WILDCARD>, character: string): boolean {
  const isWithin = part.ranges.some(([from, to]) => from <= character && character <= to);
  return isWithin !== part.isNot;
}
