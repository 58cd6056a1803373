// The SHA-256 digest of a file, which shows later whether its bytes have changed.

/** Returns the digest in hexadecimal digits. Reads in chunks, so that other work can run. */
export async function digestOf(
  bytes: Blob | Uint8Array<ArrayBuffer> | ReadableStream,
): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  const stream = bytes instanceof Blob ? bytes.stream() : new Response(bytes).body;
  for await (const piece of (stream ?? []) as AsyncIterable<Uint8Array>) hash.update(piece);
  return hash.digest("hex");
}
