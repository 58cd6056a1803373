// Messages that are out of sight though they are known: one has deleted them a moment ago.

export const hiddenMessages = new Set<number>();
/** The key that changes when they do. */
export const HIDDEN = "hidden-messages";
