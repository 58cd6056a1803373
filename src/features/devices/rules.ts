// The limits of devices and their push tokens.

/** Beyond this, the oldest device is removed. */
export const DEVICES_PER_USER_MAX = 100;
/** Beyond this, the oldest token is removed. */
export const PUSH_TOKENS_PER_USER_MAX = 100;
export const PUSH_TOKEN_LENGTH_MAX = 4096;
export const APP_ID_LENGTH_MAX = 255;

const PUSH_KEY_BYTES = 33;
/** The only supported kind of key: this byte, followed by a secretbox key. */
const PUSH_KEY_KIND = 0x31;
const TOKEN_ID_BYTES = 8;
export const PUSH_KEY_ID_MAX = 2 ** 32 - 1;

/** Whether the text is an APNs token: bytes as hex or base64, ignoring other characters. */
export function isApnsToken(token: string): boolean {
  const characters = token.replaceAll(/[^A-Za-z0-9+/=]/g, "");
  return /^([0-9a-f]{2})+$/i.test(token) || bytesOf(characters) !== undefined;
}

export function isPushKey(text: string): boolean {
  const bytes = bytesOf(text);
  return bytes?.length === PUSH_KEY_BYTES && bytes[0] === PUSH_KEY_KIND;
}

export function isTokenId(text: string): boolean {
  return bytesOf(text)?.length === TOKEN_ID_BYTES;
}

/** Decodes base64. Undefined if it is invalid. */
function bytesOf(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.length > 0 && bytes.toString("base64") === text ? bytes : undefined;
}
