// The hash with which the server detects that the message has changed in the meantime.

/**
 * Returns the digest in hexadecimal; undefined on insecure pages, where browsers do not offer
 * hashing.
 */
export async function sha256(text: string): Promise<string | undefined> {
  if (!globalThis.crypto?.subtle) return undefined;
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
