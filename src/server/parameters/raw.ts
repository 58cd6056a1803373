// Raw parameters of a request: text by the name that the client used.

/** Raw parameters by name. If a name is repeated, the last value counts. */
export type RawParams = Map<string, string>;

export const NONE: RawParams = new Map();
