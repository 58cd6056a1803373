// Units of time that limits are reckoned in.

export const DAY_SECONDS = 86_400;
