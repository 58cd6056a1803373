// Limits the combining marks per character, because stacks of them overlap other lines.

/** No language needs as many, not even Vietnamese, Thai and pointed Hebrew. */
export const MARKS_PER_CHARACTER_MAX = 8;

/** Characters without a width, which do not end a stack. */
const UNSEEN = "[\\u200b-\\u200f\\u2060-\\u2064\\ufeff]*";
const NEXT = `(?:${UNSEEN}\\p{M})`;
// Each match begins with a mark, so that matching takes linear time.
const STACK = new RegExp(`(\\p{M}${NEXT}{${MARKS_PER_CHARACTER_MAX - 1}})${NEXT}+`, "gu");
const TALL = new RegExp(`\\p{M}${NEXT}{2}`, "u");

/** Whether a character has more marks than names may have. */
export const hasStackedMarks = (text: string): boolean => text.search(STACK) !== -1;

/** Removes all but the first marks of each character. */
export const withoutStackedMarks = (text: string): string => text.replace(STACK, "$1");

/** Whether marks may make a line of this text taller than usual. */
export const isTall = (text: string): boolean => TALL.test(text);
