// The limits of muting people.

export const MUTED_USERS_MAX = 1_000;
