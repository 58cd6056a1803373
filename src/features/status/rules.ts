// Maximum length of a status.

export const STATUS_TEXT_LENGTH_MAX = 60;
