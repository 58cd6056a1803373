// The limits of user groups, and reserved beginnings of their names.

/** Groups created by one user, including deactivated ones. */
export const GROUPS_PER_CREATOR_MAX = 2_000;
export const GROUP_NAME_LENGTH_MAX = 100;
export const GROUP_DESCRIPTION_LENGTH_MAX = 1024;
/** If more users are added or removed at once, they get no direct messages about it. */
export const MEMBERSHIP_NOTICES_MAX = 100;

/** Mentions and the names of system groups begin with these. */
export const RESERVED_BEGINNINGS = ["@", "role:", "user:", "stream:", "channel:"] as const;
