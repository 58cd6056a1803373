// The limits of messages that wait to be sent.

export const SCHEDULED_MESSAGES_MAX = 1_000;
/** One that could not be sent until then is given back to its author. */
export const DELIVERY_LATE_SECONDS_MAX = 600;
