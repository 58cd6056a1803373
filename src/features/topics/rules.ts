// Limits of topic policies.

/** Maximum per user. The oldest clients receive all of them with each change. */
export const TOPIC_POLICIES_MAX = 5_000;
