// Writes the bytes of an exported file, readable by its owner only.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const OWNER_ONLY = 0o600;

/** Creates the file, which must not exist, and its folders if need be. Returns its size. */
export async function writeBytes(
  path: string,
  body: Blob | Uint8Array | ReadableStream,
  onPiece?: (piece: Uint8Array) => void,
): Promise<number> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, "wx", OWNER_ONLY);
  let size = 0;
  try {
    for await (const piece of piecesOf(body)) {
      onPiece?.(piece);
      for (let offset = 0; offset < piece.length;) offset += writeSync(file, piece, offset);
      size += piece.length;
    }
  } finally {
    closeSync(file);
  }
  return size;
}

function piecesOf(body: Blob | Uint8Array | ReadableStream): AsyncIterable<Uint8Array> {
  if (body instanceof ReadableStream) return body as AsyncIterable<Uint8Array>;
  const blob = body instanceof Blob ? body : new Blob([body as Uint8Array<ArrayBuffer>]);
  return blob.stream() as AsyncIterable<Uint8Array>;
}
