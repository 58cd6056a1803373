// A set of ids as one part of a key.

const KEY_LENGTH_MAX = 1_000;

/** What a set is found by; `ids` ascending. A long list is kept as its SHA-256. */
export function setKey(ids: readonly number[]): string {
  const list = ids.join(",");
  if (list.length <= KEY_LENGTH_MAX) return list;
  return new Bun.CryptoHasher("sha256").update(list).digest("hex");
}
