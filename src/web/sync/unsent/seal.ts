// Encrypts unsent texts so that only the server can derive the key, for this account alone.

/** Data on disk. It contains no key that decrypts `bytes`. */
export interface SealedText {
  /** The public key of a key pair that is generated for this text. */
  readonly public_key: string;
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly bytes: ArrayBuffer;
}

const KEY_CURVE = { name: "ECDH", namedCurve: "P-256" } as const;
const CIPHER = "AES-GCM";
const KEY_BITS = 256;
const IV_BYTES = 12;
/** The server derives its key with the same label: src/features/sessions/unsent-key.ts. */
const LABEL = new TextEncoder().encode("skein unsent texts");

/** Browsers offer WebCrypto only over HTTPS and on loopback. */
export const canSeal = (): boolean => "subtle" in crypto;

/** `accountKey`: the account's public key from the server. */
export async function seal(text: string, accountKey: string): Promise<SealedText> {
  const { subtle } = crypto;
  const account = await subtle.importKey("raw", decoded(accountKey), KEY_CURVE, false, []);
  const own = await subtle.generateKey(KEY_CURVE, false, ["deriveBits"]);
  const publicKey = new Uint8Array(await subtle.exportKey("raw", own.publicKey));
  const shared = await subtle.deriveBits(
    { name: KEY_CURVE.name, public: account },
    own.privateKey,
    KEY_BITS,
  );
  const material = await subtle.importKey("raw", shared, "HKDF", false, ["deriveKey"]);
  const derivation = { name: "HKDF", hash: "SHA-256", salt: publicKey, info: LABEL };
  const cipher = { name: CIPHER, length: KEY_BITS };
  const key = await subtle.deriveKey(derivation, material, cipher, false, ["encrypt"]);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const bytes = await subtle.encrypt({ name: CIPHER, iv }, key, new TextEncoder().encode(text));
  return { public_key: encoded(publicKey), iv, bytes };
}

/** `secret`: the server's response for `public_key`. Throws if it belongs to another account. */
export async function unseal({ iv, bytes }: SealedText, secret: string): Promise<string> {
  const { subtle } = crypto;
  const key = await subtle.importKey("raw", decoded(secret), CIPHER, false, ["decrypt"]);
  return new TextDecoder().decode(await subtle.decrypt({ name: CIPHER, iv }, key, bytes));
}

const encoded = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const decoded = (text: string) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) =>
    char.charCodeAt(0),
  );
