// The skin tone for emoji of people in messages, stored on this device.
import { signal } from "@preact/signals";
import { EMOJI_TONE } from "./state.ts";

/** Codes of the skin tone modifiers; the first is the default yellow. */
export const TONES = ["", "1f3fb", "1f3fc", "1f3fd", "1f3fe", "1f3ff"] as const;
export type SkinTone = (typeof TONES)[number];

export const tone = signal<SkinTone>(storedTone());

export function chooseTone(newTone: SkinTone): void {
  tone.value = newTone;
  try {
    localStorage.setItem(EMOJI_TONE, newTone);
  } catch {
    // If storage is full or denied, it is chosen for this page alone.
  }
}

function storedTone(): SkinTone {
  try {
    const stored = localStorage.getItem(EMOJI_TONE);
    return TONES.find((tone) => tone === stored) ?? "";
  } catch {
    return "";
  }
}
