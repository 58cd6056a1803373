// Texts of `en.json` that the first view does not need; the build inserts them here.

export const restTexts: object = {};
