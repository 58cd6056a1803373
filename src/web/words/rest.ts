// The sentences of `en.json` that the first view does without: the build puts them here.

export const sentences: object = {};
