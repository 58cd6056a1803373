// Hashes random secrets for storage, and compares secrets.
import { timingSafeEqual } from "node:crypto";

/** SHA-256 in hex. API keys and tokens are random, so they need neither salt nor a slow hash. */
export function hashOfSecret(secret: string): string {
  return new Bun.CryptoHasher("sha256").update(secret).digest("hex");
}

/** The time that it takes does not depend on where the texts differ. */
export function isSameSecret(first: string, other: string): boolean {
  const [a, b] = [Buffer.from(first), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
