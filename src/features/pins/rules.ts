// Limits of pinned messages.

export const PINS_PER_CHANNEL_MAX = 50;
export const PIN_EXCERPT_LENGTH_MAX = 200;
