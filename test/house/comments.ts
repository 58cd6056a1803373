/** Comments of a source file, without those that follow code on their line. */

/** Openings of sentences that often lack a subject with a name. */
export const VAGUE_OPENING =
  /^(What|Of|Where|Who|As|By|One|Those|Whoever|Nothing|Nobody|Without|So)\b/;

/** Consecutive lines of `//` are one comment. */
export function commentsIn(text: string): string[] {
  const comments = text.matchAll(/^[ \t]*(?:\/\*[^]*?\*\/|\/\/.*(?:\n[ \t]*\/\/.*)*)/gm);
  return [...comments].map(([comment]) =>
    comment.replace(/^[ \t]*(\/\/|\/\*+|\*(?!\/))[ \t]*/gm, "").trim(),
  );
}
