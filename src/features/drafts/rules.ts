// The limits of drafts.

export const DRAFTS_MAX = 2_000;
/** A client starts with so many of them. */
export const SNAPSHOT_DRAFTS_MAX = 1_000;
