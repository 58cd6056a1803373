// Open texts with placeholders of uploads; placeholders in other texts are replaced in their
// drafts.

/** Each function replaces the placeholder, and returns the name of its text if it was there. */
export const openTexts = new Set<(placeholder: string, words: string) => string | undefined>();
