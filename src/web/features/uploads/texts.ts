// The texts that are open: where an upload that is done puts its words, or else in a draft.

/** Each says whether the place was held in it. */
export const openTexts = new Set<(placeholder: string, words: string) => boolean>();
