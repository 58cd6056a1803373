// Limits how many combining marks one character carries: stacks of them paint over other lines.

/** More than Vietnamese, Thai, pointed Hebrew or any other written language stacks. */
export const MARKS_PER_CHARACTER_MAX = 8;

/** Characters without a width, which do not end a stack. */
const UNSEEN = "[\\u200b-\\u200f\\u2060-\\u2064\\ufeff]*";
const NEXT = `(?:${UNSEEN}\\p{M})`;
// Each begins with a mark, so that the time grows with the text alone.
const STACK = new RegExp(`(\\p{M}${NEXT}{${MARKS_PER_CHARACTER_MAX - 1}})${NEXT}+`, "gu");
const TALL = new RegExp(`\\p{M}${NEXT}{2}`, "u");

/** Whether a character carries more marks than a name may have. */
export const hasStackedMarks = (text: string): boolean => text.search(STACK) !== -1;

/** Drops the marks of a character after the first few. */
export const withoutStackedMarks = (text: string): string => text.replace(STACK, "$1");

/** Whether a line of this text may be higher than lines are. */
export const isTall = (text: string): boolean => TALL.test(text);
