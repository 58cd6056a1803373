// The limits of saved snippets.

export const SNIPPET_TITLE_LENGTH_MAX = 60;
