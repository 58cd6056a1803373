// How many alert words a person may have, and how long they are.

export const ALERT_WORD_LENGTH_MAX = 100;
export const ALERT_WORDS_MAX = 1_000;
