// The limits of muting users.

export const MUTED_USERS_MAX = 1_000;
