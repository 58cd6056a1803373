// The types of profile fields, and the valid values of each.

export const SHORT_TEXT = 1;
export const LONG_TEXT = 2;
export const CHOICE = 3;
export const DATE = 4;
export const LINK = 5;
export const PEOPLE = 6;
export const ACCOUNT = 7;
export const PRONOUNS = 8;

/** The types as clients know them. */
export const FIELD_TYPES = {
  SHORT_TEXT: { id: SHORT_TEXT, name: "Text (short)" },
  LONG_TEXT: { id: LONG_TEXT, name: "Text (long)" },
  SELECT: { id: CHOICE, name: "List of options" },
  DATE: { id: DATE, name: "Date" },
  URL: { id: LINK, name: "Link" },
  USER: { id: PEOPLE, name: "People" },
  EXTERNAL_ACCOUNT: { id: ACCOUNT, name: "External account" },
  PRONOUNS: { id: PRONOUNS, name: "Pronouns" },
} as const;

export const PROFILE_FIELDS_MAX = 100;
export const FIELD_NAME_LENGTH_MAX = 40;
export const FIELD_HINT_LENGTH_MAX = 80;
export const FIELDS_IN_SUMMARY_MAX = 2;
export const CHOICES_MAX = 500;
export const CHOICE_LENGTH_MAX = 200;
export const LINK_LENGTH_MAX = 2_000;
export const PEOPLE_MAX = 100;

export const isFieldType = (type: number) =>
  Object.values(FIELD_TYPES).some(({ id }) => id === type);

/** Maximum length of values of text types. */
export const VALUE_LENGTHS_MAX: Readonly<Record<number, number>> = {
  [SHORT_TEXT]: 50,
  [LONG_TEXT]: 500,
  [LINK]: LINK_LENGTH_MAX,
  [ACCOUNT]: 50,
  [PRONOUNS]: 50,
};

/** Markdown, which is also sent as HTML. */
export const isMarkdown = (type: number) => type === SHORT_TEXT || type === LONG_TEXT;

/** A valid calendar date as YYYY-MM-DD. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

export function isLink(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}
