// Limits of typing notifications.

/** In a larger channel nobody hears of it. */
export const SUBSCRIBERS_TOLD_MAX = 100;
