// Writes a PNG from a function that returns the color of each pixel.
import { deflateSync } from "node:zlib";

/** Red, green and blue, from 0 to 255. */
export type Rgb = readonly [number, number, number];

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const DEPTH_BITS = 8;
const TRUE_COLOR = 2;
const UP_FILTER = 2;

export function png(width: number, height: number, colorAt: (x: number, y: number) => Rgb) {
  const row_bytes = width * 3 + 1;
  const rows = new Uint8Array(row_bytes * height);
  let above = new Uint8Array(width * 3);
  for (let y = 0; y < height; y++) {
    const row = new Uint8Array(width * 3);
    for (let x = 0; x < width; x++) row.set(colorAt(x, y).map(inByte), x * 3);
    // The difference to the row above is small and compresses well.
    rows[y * row_bytes] = UP_FILTER;
    for (let offset = 0; offset < row.length; offset++) {
      rows[y * row_bytes + 1 + offset] = row[offset]! - above[offset]!;
    }
    above = row;
  }
  const head = new DataView(new ArrayBuffer(13));
  head.setUint32(0, width);
  head.setUint32(4, height);
  head.setUint8(8, DEPTH_BITS);
  head.setUint8(9, TRUE_COLOR);
  const parts = [
    Uint8Array.from(SIGNATURE),
    chunk("IHDR", new Uint8Array(head.buffer)),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", new Uint8Array()),
  ];
  return new Uint8Array(Buffer.concat(parts));
}

const inByte = (value: number) => Math.max(0, Math.min(255, Math.round(value)));

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, "ascii");
  bytes.set(data, 8);
  const summed = bytes.subarray(4, 8 + data.length);
  bytes.writeUInt32BE(Bun.hash.crc32(summed), 8 + data.length);
  return bytes;
}
