// The limits of reminders.

export const REMINDER_NOTE_LENGTH_MAX = 1000;
