// The limits of messages and topics, the bits of a message, and the flags a person may put on one.

export const MESSAGE_LENGTH_MAX = 10_000;
export const TOPIC_LENGTH_MAX = 60;
export const FETCH_MESSAGES_MAX = 5000;
export const NARROW_TERMS_MAX = 100;
/** Of all that one narrow searches for together. */
export const SEARCH_LENGTH_MAX = 1000;
/** In a script without spaces, each pair of characters is one. */
export const SEARCH_WORDS_MAX = 100;
export const WILDCARD_FREE_PEOPLE_MAX = 15;
export const EMPTY_TOPIC_NAME = "general chat";
export const RESOLVED_PREFIX = "✔ ";

/** Bits of `Message.bits`. On disk: never renumber one. */
export const IS_ME = 1;
export const STREAM_WILDCARD = 2;
export const TOPIC_WILDCARD = 4;
export const HAS_LINK = 8;
export const HAS_IMAGE = 16;
export const HAS_ATTACHMENT = 32;
/** It was sent to another channel; `moved_messages` says how it came. */
export const MOVED_IN = 64;
/** The notification bot tells of a resolved or unresolved topic. It is in the set `quiet`. */
export const RESOLVE_NOTICE = 128;
/** Nobody who misses it is told by mail or push. */
export const UNMAILED = 256;

/** Numbers of the flags that are kept as bitmaps by person. On disk: never renumber one. */
export const FLAG_READ = 1;
export const FLAG_STARRED = 2;
export const FLAG_COLLAPSED = 3;
/** Mentioned by name. Wildcards and groups are marks on the message, expanded when read. */
export const FLAG_MENTIONED = 4;
export const FLAG_TOPIC_WILDCARD = 5;
export const FLAG_HAS_ALERT_WORD = 6;
/** Seen without having been received: starred, reacted to, or marked unread from the history. */
export const FLAG_HISTORICAL = 7;
/** What everyone else has read from the start is not read so by this person. */
export const FLAG_LOUD = 8;
/** Mentioned by a group that the person is in no more. */
export const FLAG_FROZEN_MENTION = 9;
/** Mentions a group that the person came to later. */
export const FLAG_FROZEN_NO_MENTION = 10;
/** Mentioned by name in a message that the person did not receive. */
export const FLAG_NAMED = 11;
/** Came to the person later, and was edited since: its marks are as if it had been received. */
export const FLAG_REMARKED = 12;

export const EDITABLE_FLAGS: Readonly<Record<string, number>> = {
  read: FLAG_READ,
  starred: FLAG_STARRED,
  collapsed: FLAG_COLLAPSED,
};

/** The type of the first submessage, which a send made, and of all that clients add to it. */
export const WIDGET = "widget";
