// Limits of typing notifications.

/** Channels with more subscribers send no typing notifications. */
export const SUBSCRIBERS_TOLD_MAX = 100;
