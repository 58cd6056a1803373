// What a request gave, each value as text under the name that the client used.

/** Raw parameters by name; of one given twice, the last. */
export type Given = Map<string, string>;

export const NOTHING: Given = new Map();
