// Limit of reactions per message.

export const REACTIONS_MAX = 10_000;
