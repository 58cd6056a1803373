// The limits of scheduled messages.

export const SCHEDULED_MESSAGES_MAX = 1_000;
/** Messages that could not be sent by then are returned to their author. */
export const DELIVERY_LATE_SECONDS_MAX = 600;
