// Unicode normalization in linear time.

/**
 * Sorting combining marks takes quadratic time. As in Unicode's stream-safe format, at most 30
 * marks per letter are kept; no language needs more.
 */
const MARKS_MAX = 30;
/** Combining characters, before or after decomposition. */
const MARKS = /[\p{M}\uff9e\uff9f]{31,}/gu;

export function normalized(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  return text
    .replace(MARKS, (marks) => Array.from(marks).slice(0, MARKS_MAX).join(""))
    .normalize(form);
}
