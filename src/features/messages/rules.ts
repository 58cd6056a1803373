// Limits of messages and topics, message bits, and flags.

export const MESSAGE_LENGTH_MAX = 10_000;
export const TOPIC_LENGTH_MAX = 60;
export const FETCH_MESSAGES_MAX = 5000;
export const NARROW_TERMS_MAX = 100;
/** Limit of all search terms of a narrow together. */
export const SEARCH_LENGTH_MAX = 1000;
/** In scripts without spaces, each pair of characters counts as a word. */
export const SEARCH_WORDS_MAX = 100;
export const WILDCARD_FREE_PEOPLE_MAX = 15;
export const EMPTY_TOPIC_NAME = "general chat";
export const RESOLVED_PREFIX = "✔ ";

/** Bits of `Message.bits`. Stored on disk, so never renumber them. */
export const IS_ME = 1;
export const STREAM_WILDCARD = 2;
export const TOPIC_WILDCARD = 4;
export const HAS_LINK = 8;
export const HAS_IMAGE = 16;
export const HAS_ATTACHMENT = 32;
/** The message was sent to another channel; `moved_messages` has its path. */
export const MOVED_IN = 64;
/** A notice that a topic was resolved or unresolved. It is stored in the set `quiet`. */
export const RESOLVE_NOTICE = 128;
/** No email or push notification is sent. */
export const NOT_NOTIFYING = 256;

/** Flags that are stored as bitmaps per user. Stored on disk, so never renumber them. */
export const FLAG_READ = 1;
export const FLAG_STARRED = 2;
export const FLAG_COLLAPSED = 3;
/** Mentioned by name. Wildcard and group mentions are marks on the message, evaluated on read. */
export const FLAG_MENTIONED = 4;
export const FLAG_TOPIC_WILDCARD = 5;
export const FLAG_HAS_ALERT_WORD = 6;
/**
 * Accessed without having been received: starred, reacted to, or marked as unread in the history.
 */
export const FLAG_HISTORICAL = 7;
/** Unread for this user although the message is read from the start for everyone else. */
export const FLAG_UNREAD_HERE = 8;
/** Mentioned through a group that the user has left since. */
export const FLAG_FROZEN_MENTION = 9;
/** Mentions a group that the user joined later. */
export const FLAG_FROZEN_NO_MENTION = 10;
/** Mentioned by name in a message that the user did not receive. */
export const FLAG_MENTIONED_LATER = 11;
/** Received later and edited since: mentions count as if it had been received at first. */
export const FLAG_EDITED_LATER = 12;

export const EDITABLE_FLAGS: Readonly<Record<string, number>> = {
  read: FLAG_READ,
  starred: FLAG_STARRED,
  collapsed: FLAG_COLLAPSED,
};

/** The type of a widget's submessages. */
export const WIDGET = "widget";
