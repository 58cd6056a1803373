// How much may be added to the poll or the to-do list of a message.

export const SUBMESSAGES_MAX = 10_000;
export const SUBMESSAGE_LENGTH_MAX = 10_000;
export const SUBMESSAGE_TYPE_LENGTH_MAX = 60;
