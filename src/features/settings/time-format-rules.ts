// The usual time format of a language.

/** Whether the language usually writes 21:14 and not 9:14 PM. */
export const hasWholeDays = (language: string): boolean =>
  new Intl.DateTimeFormat(language, { hour: "numeric" }).resolvedOptions().hour12 === false;
