// Compresses long texts before they are stored, which is cheaper than encoding and writing them in
// full.

const PACKED_CHARS_MIN = 16_384;
/** The fastest level. */
const LEVEL = 1;

export function packed(text: string): string | Uint8Array {
  return text.length < PACKED_CHARS_MIN ? text : Bun.zstdCompressSync(text, { level: LEVEL });
}

export function unpacked(value: string | Uint8Array): string {
  return typeof value === "string" ? value : Bun.zstdDecompressSync(value).toString();
}
