// Texts of any length that are difficult for patterns which backtrack.

export type TextPattern = readonly [name: string, make: (length: number) => string];

const run = (character: string) => (length: number) =>
  character.repeat(length / character.length + 1).slice(0, length);
/**
 * Repeats a character between two others, so that a pattern that has matched so far fails at the
 * end.
 */
const repeatBetween = (before: string, character: string, after: string) => (length: number) =>
  before + run(character)(length - before.length - after.length) + after;

export const SHAPES: readonly TextPattern[] = [
  ["spaces", run(" ")],
  ["spaces between", repeatBetween("a", " ", "b")],
  ["signs between", repeatBetween("a", "!", "b")],
  ["one letter", run("a")],
  ["one digit and a sign", repeatBetween("", "1", "!")],
  ["equals signs", repeatBetween("A", "=", "!")],
  ["brackets", run("[")],
  ["brackets and links", run("[](")],
  ["angles", run("<a")],
  ["quotes", run('\\"')],
  ["backticks", run("`")],
  ["fence and spaces", repeatBetween("```", " ", "`")],
  ["fence and letters", repeatBetween("```", "a", "`")],
  ["stars", run("*a ")],
  ["mentions", run("@**a")],
  ["addresses", run("http://a.b/")],
  ["colons", run(":a")],
  ["quoted lines", run("> * ")],
  ["newlines", repeatBetween("a", "\n", "b")],
  ["fenced newlines", repeatBetween("```a", "\n", "b```")],
  ["breaks between", repeatBetween("1.", " ", "\u2028b")],
  ["spaces and newlines", run("a \n")],
  ["combining marks", repeatBetween("a", "\u0301", "b")],
  ["marks in no order", repeatBetween("a", "\u0301\u0323", "b")],
  ["an address of marks", repeatBetween("http://a", "\u0301\u0323", ".com/")],
  ["no spaces between", run("東京")],
  ["words", distinctWords],
];

/** Many different words. */
function distinctWords(length: number): string {
  let text = "";
  for (let index = 1000; text.length < length; index++) text += `w${index.toString(36)} `;
  return text.slice(0, length);
}
