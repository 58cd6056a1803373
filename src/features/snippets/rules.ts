// Limits of saved snippets.

export const SNIPPETS_MAX = 1_000;
export const SNIPPET_TITLE_LENGTH_MAX = 60;
