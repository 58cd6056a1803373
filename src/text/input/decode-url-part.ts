// Decodes escapes in parts of URLs from other programs.

/** Decodes percent escapes. A text with invalid ones stays as it is. */
export function decodeUrlPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
