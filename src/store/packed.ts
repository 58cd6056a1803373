// Texts as they are kept: a long one compressed, which is less to encode and to write than itself.

const PACKED_CHARS_MIN = 16_384;
/** The quickest. */
const LEVEL = 1;

export function packed(text: string): string | Uint8Array {
  return text.length < PACKED_CHARS_MIN ? text : Bun.zstdCompressSync(text, { level: LEVEL });
}

export function unpacked(kept: string | Uint8Array): string {
  return typeof kept === "string" ? kept : Bun.zstdDecompressSync(kept).toString();
}
