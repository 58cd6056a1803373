// Limits of topic notes.

/** Older versions are deleted. */
export const NOTE_VERSIONS_MAX = 50;
