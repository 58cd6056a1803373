// What an organization's own emoji may be called, and how large they are.

export const EMOJI_PIXELS = 64;
/** Those that were switched off too: messages go on showing them. */
export const CUSTOM_EMOJI_MAX = 5_000;
export const EMOJI_MIB_MAX = 5;
/** One that moves is kept as it came: no larger than this. */
export const MOVING_EMOJI_MIB_MAX = 1;

/** As it is kept: without spaces. */
export function emojiNameOf(given: string): string {
  return given.trim().replaceAll(/\s+/g, "_");
}

export function hasEmojiLetters(name: string): boolean {
  return /^[a-z0-9_-]+$/.test(name);
}

export function endsWell(name: string): boolean {
  return /[a-z0-9]$/.test(name);
}
