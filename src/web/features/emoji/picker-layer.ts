// The layer of the emoji picker, and of its placeholder.

export const PICKER = "emoji-picker";
