// Limits of a user's own order of the sidebar.

export const ORDERED_CHANNELS_MAX = 2_000;
export const ORDERED_FOLDERS_MAX = 500;
