// The SHA-256 of a file's bytes, by which it is known later whether they are still the same.

/** In hexadecimal digits; piece by piece, so that others have their turn. */
export async function digestOf(
  bytes: Blob | Uint8Array<ArrayBuffer> | ReadableStream,
): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  const stream = bytes instanceof Blob ? bytes.stream() : new Response(bytes).body;
  for await (const piece of (stream ?? []) as AsyncIterable<Uint8Array>) hash.update(piece);
  return hash.digest("hex");
}
