// The limits of drafts.

export const DRAFTS_MAX = 2_000;
/** Number of drafts in the register snapshot. */
export const SNAPSHOT_DRAFTS_MAX = 1_000;
