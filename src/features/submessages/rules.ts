// Limits of submessages per message.

export const SUBMESSAGES_MAX = 10_000;
export const SUBMESSAGE_LENGTH_MAX = 10_000;
export const SUBMESSAGE_TYPE_LENGTH_MAX = 60;
