// The limits of messages that wait to be sent.

/** One that could not be sent until then is given back to its author. */
export const DELIVERY_LATE_SECONDS_MAX = 600;
