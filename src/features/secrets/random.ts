// The text of an API key, made of chance alone, and the hash that is kept of it.

export const KEY_LENGTH = 32;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/** Bytes from here up would make the first letters likelier than the others. */
const UNFAIR = 256 - (256 % ALPHABET.length);

export function randomKey(): string {
  let key = "";
  while (key.length < KEY_LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(KEY_LENGTH))) {
      if (byte < UNFAIR && key.length < KEY_LENGTH) key += ALPHABET[byte % ALPHABET.length];
    }
  }
  return key;
}

/** SHA-256, hex. A key is random, so it needs no salt and no slowness. */
export function hashOfKey(key: string): string {
  return new Bun.CryptoHasher("sha256").update(key).digest("hex");
}
