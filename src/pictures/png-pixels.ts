// Decodes PNG images as Bun writes them.
import { inflateSync } from "node:zlib";

const PIXEL_BYTES = 4;

/**
 * Returns four bytes per pixel of a PNG of this size in Bun's format; undefined for other files.
 */
export function pngPixels(
  bytes: Uint8Array,
  width: number,
  height: number,
): Uint8Array | undefined {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const condition = png.readUInt32BE(16) === width && png.readUInt32BE(20) === height;
  if (!condition || png.readUInt16BE(24) !== 0x0806) return undefined;
  const data: Buffer[] = [];
  for (let offset = 8; offset < png.length; offset += 12 + png.readUInt32BE(offset)) {
    const isData = png.toString("latin1", offset + 4, offset + 8) === "IDAT";
    if (isData) data.push(png.subarray(offset + 8, offset + 8 + png.readUInt32BE(offset)));
  }
  return unfiltered(inflateSync(Buffer.concat(data)), width * PIXEL_BYTES, height);
}

/** Each row starts with the number of its filter. */
function unfiltered(lines: Uint8Array, stride: number, height: number): Uint8Array {
  const out = new Uint8Array(stride * height);
  for (let row = 0; row < height; row++) {
    const filter = lines[row * (stride + 1)]!;
    for (let i = 0; i < stride; i++) {
      const offset = row * stride + i;
      const leftByte = i < PIXEL_BYTES ? 0 : out[offset - PIXEL_BYTES]!;
      const up = row === 0 ? 0 : out[offset - stride]!;
      const corner = i < PIXEL_BYTES || row === 0 ? 0 : out[offset - stride - PIXEL_BYTES]!;
      out[offset] = lines[row * (stride + 1) + 1 + i]! + predictByte(filter, leftByte, up, corner);
    }
  }
  return out;
}

function predictByte(filter: number, leftByte: number, up: number, corner: number): number {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return leftByte;
    case 2:
      return up;
    case 3:
      return (leftByte + up) >> 1;
    default: {
      const [a, b, c] = [up - corner, leftByte - corner, leftByte + up - 2 * corner].map(Math.abs);
      return a! <= b! && a! <= c! ? leftByte : b! <= c! ? up : corner;
    }
  }
}
