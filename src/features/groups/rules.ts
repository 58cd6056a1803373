// The limits of user groups, and what their names may not begin with.

/** Made by one person, those that are switched off too. */
export const GROUPS_PER_CREATOR_MAX = 2_000;
export const GROUP_NAME_LENGTH_MAX = 100;
export const GROUP_DESCRIPTION_LENGTH_MAX = 1024;
/** Beyond that many people at once, nobody is told by a message of their own. */
export const MEMBERSHIP_NOTICES_MAX = 100;

/** Mentions and the names of system groups are written so. */
export const RESERVED_BEGINNINGS = ["@", "role:", "user:", "stream:", "channel:"] as const;
