// What a person may want of a topic.

/** Of one person. The oldest clients hear all of them with each change. */
export const TOPIC_POLICIES_MAX = 5_000;

export const INHERITED = 0;
export const MUTED = 1;
export const UNMUTED = 2;
export const FOLLOWED = 3;
export const VISIBILITY_POLICIES: readonly number[] = [INHERITED, MUTED, UNMUTED, FOLLOWED];
