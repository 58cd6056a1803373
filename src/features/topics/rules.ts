// What a person may want of a topic.

/** Of one person. The oldest clients hear all of them with each change. */
export const TOPIC_POLICIES_MAX = 5_000;
