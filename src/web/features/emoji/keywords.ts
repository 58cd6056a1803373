// Further search words of each emoji by code, which the build inserts here.

export const KEYWORDS: ReadonlyMap<string, string> = new Map();
