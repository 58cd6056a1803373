// Encodes PNG images, with a palette or four bytes per pixel.
import { deflateSync } from "node:zlib";

export type Color = readonly [red: number, green: number, blue: number];

/** `pixels` has four bytes per pixel: red, green, blue, alpha. */
export function colorPng(width: number, height: number, pixels: Uint8Array) {
  return concatBytes([
    SIGNATURE,
    chunk("IHDR", header(width, height, COLORED)),
    chunk("IDAT", deflateSync(scanlines(width * 4, height, pixels), { level: 1 })),
    chunk("IEND", new Uint8Array(0)),
  ]);
}

/** `pixels` has `width × height` palette indexes, row by row. */
export function png(
  width: number,
  height: number,
  palette: readonly Color[],
  pixels: Uint8Array,
): Uint8Array<ArrayBuffer> {
  return concatBytes([
    SIGNATURE,
    chunk("IHDR", header(width, height, INDEXED)),
    chunk("PLTE", Uint8Array.from(palette.flat())),
    chunk("IDAT", deflateSync(scanlines(width, height, pixels))),
    chunk("IEND", new Uint8Array(0)),
  ]);
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const BITS_PER_PIXEL = 8;
const INDEXED = 3;
const COLORED = 6;

function header(width: number, height: number, kind: number): Uint8Array {
  const bytes = new Uint8Array(13);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  view.setUint8(8, BITS_PER_PIXEL);
  view.setUint8(9, kind);
  return bytes;
}

/** Each row starts with its filter; 0 for none. */
function scanlines(width: number, height: number, pixels: Uint8Array): Uint8Array {
  const lines = new Uint8Array(height * (width + 1));
  for (let row = 0; row < height; row++) {
    lines.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  }
  return lines;
}

/** Length, type, data, and a checksum of type and data. */
function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, Bun.hash.crc32(bytes.subarray(4, data.length + 8)));
  return bytes;
}

function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
