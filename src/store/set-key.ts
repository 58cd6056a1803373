// Represents a set of ids as one part of a key.

const KEY_LENGTH_MAX = 1_000;

/**
 * Returns the key part of a set; `ids` must be ascending. A long list is replaced by its SHA-256.
 */
export function setKey(ids: readonly number[]): string {
  const list = ids.join(",");
  if (list.length <= KEY_LENGTH_MAX) return list;
  return new Bun.CryptoHasher("sha256").update(list).digest("hex");
}
