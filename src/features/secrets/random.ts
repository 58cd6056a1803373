// Generates random API keys, and the hashes by which they are stored.

const KEY_LENGTH = 32;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/** Bytes from here on would make the first letters more likely than others. */
const BIASED_FROM = 256 - (256 % ALPHABET.length);

export function randomKey(): string {
  let key = "";
  while (key.length < KEY_LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(KEY_LENGTH))) {
      if (byte < BIASED_FROM && key.length < KEY_LENGTH) key += ALPHABET[byte % ALPHABET.length];
    }
  }
  return key;
}

/** SHA-256 in hex. Keys are random, so they need neither a salt nor a slow hash. */
export function hashOfKey(key: string): string {
  return new Bun.CryptoHasher("sha256").update(key).digest("hex");
}
