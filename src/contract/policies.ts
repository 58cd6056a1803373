// Topic visibility policies, as numbers in the protocol and on disk.

export const INHERITED = 0;
export const MUTED = 1;
export const UNMUTED = 2;
export const FOLLOWED = 3;

export const VISIBILITY_POLICIES: readonly number[] = [INHERITED, MUTED, UNMUTED, FOLLOWED];
