// How many reactions one message can bear.

export const REACTIONS_MAX = 10_000;
