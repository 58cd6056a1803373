// Limits of typing notifications.

/** Channels with more subscribers send no typing notifications. */
export const TYPING_SUBSCRIBERS_MAX = 100;
