// The limits of reminders.

export const REMINDERS_MAX = 1_000;
export const REMINDER_NOTE_LENGTH_MAX = 1000;
