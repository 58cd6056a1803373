// Parses addresses that other people wrote, which may be none.

/**
 * Returns undefined for text that is no URL. Use it for every address from a message, a setting or
 * another server: `new URL` throws, and the oldest supported browsers lack `URL.parse`.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
