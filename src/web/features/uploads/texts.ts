// The texts that are open: where an upload that is done puts its words, or else in a draft.

/** Each returns whether it contained the placeholder. */
export const openTexts = new Set<(placeholder: string, words: string) => boolean>();
