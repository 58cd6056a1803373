// Puts text between the fences of a quote or a code block of Markdown.

const FENCE_LENGTH_MIN = 3;

/** Uses a fence that is longer than any inside the text. */
export function fenced(tag: string, text: string, min = FENCE_LENGTH_MIN): string {
  let length = min;
  for (const [run] of text.matchAll(/`{3,}|~{3,}/g)) length = Math.max(length, run.length + 1);
  const fence = "`".repeat(length);
  return `${fence}${tag}\n${text}\n${fence}`;
}
