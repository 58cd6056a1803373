// Known messages that are hidden, because the user has just deleted them.

export const hiddenMessages = new Set<number>();
/** The state key that changes with them. */
export const HIDDEN = "hidden-messages";
