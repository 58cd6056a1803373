// Unicode's normal forms, in a time that grows with the text alone.

/**
 * Marks on one letter are put in order, which takes the square of their number: as in Unicode's
 * stream-safe format thirty stay, and no language has as many.
 */
const MARKS_MAX = 30;
/** What has a place in that order, before or after it is taken apart. */
const MARKS = /[\p{M}\uff9e\uff9f]{31,}/gu;

export function normalized(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  return text
    .replace(MARKS, (marks) => Array.from(marks).slice(0, MARKS_MAX).join(""))
    .normalize(form);
}
