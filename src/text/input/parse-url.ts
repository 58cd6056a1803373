// Parses untrusted URLs, which may be invalid.

/**
 * Returns undefined for an invalid URL. Use it for every URL from a message, a setting or another
 * server: `new URL` throws, and the oldest supported browsers lack `URL.parse`.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
