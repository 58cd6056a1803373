// Limits of custom emoji.

export const EMOJI_PIXELS = 64;
/** Includes deactivated emoji, which messages still display. */
export const CUSTOM_EMOJI_MAX = 5_000;
export const EMOJI_MIB_MAX = 5;
/** Maximum of an animated emoji, which is stored unchanged. */
export const MOVING_EMOJI_MIB_MAX = 1;

/** The stored form of a name, without spaces. */
export function emojiNameOf(value: string): string {
  return value.trim().replaceAll(/\s+/g, "_");
}

export function hasEmojiLetters(name: string): boolean {
  return /^[a-z0-9_-]+$/.test(name);
}

export function hasValidEnd(name: string): boolean {
  return /[a-z0-9]$/.test(name);
}
