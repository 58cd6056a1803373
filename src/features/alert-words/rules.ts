// Limits of alert words.

export const ALERT_WORD_LENGTH_MAX = 100;
export const ALERT_WORDS_MAX = 1_000;
