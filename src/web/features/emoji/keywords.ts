// Further words for each emoji by code; the build writes them here.

export const KEYWORDS: ReadonlyMap<string, string> = new Map();
