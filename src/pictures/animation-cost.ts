// Estimates the cost of decoding an animated image from its headers alone.
import type { Size } from "./formats.ts";

/** Maximum number of pixels of all frames of a file together; about five seconds of work. */
export const ANIMATION_PIXELS_MAX = 64_000_000;

/** Frames times canvas size, because each frame is decoded, composed and encoded in full size. */
export function animationPixels(bytes: Uint8Array, type: string): number {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { width, height, frames } = countIn(data, type);
  return width * height * frames;
}

interface FrameCount extends Size {
  frames: number;
}

const NONE: FrameCount = { width: 0, height: 0, frames: 0 };

function countIn(data: Buffer, type: string): FrameCount {
  if (type === "image/gif") return countGif(data);
  if (type === "image/webp") return countWebp(data);
  if (type === "image/png" || type === "image/apng") return countPng(data);
  return NONE;
}

const GIF_HEAD_BYTES = 13;
const GIF_EXTENSION = 0x21;
const GIF_IMAGE = 0x2c;

function countGif(data: Buffer): FrameCount {
  if (data.length < GIF_HEAD_BYTES) return NONE;
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let offset = GIF_HEAD_BYTES + tableBytes(data[10]!);
  let frames = 0;
  for (; offset < data.length; offset++) {
    const kind = data[offset];
    if (kind === GIF_EXTENSION) offset += 2;
    else if (kind === GIF_IMAGE) {
      frames++;
      offset += 11 + tableBytes(data[offset + 9] ?? 0);
    } else break;
    while (offset < data.length && data[offset] !== 0) offset += data[offset]! + 1;
  }
  return { width: data.readUInt16LE(6), height: data.readUInt16LE(8), frames };
}

function countWebp(data: Buffer): FrameCount {
  let [width, height, frames] = [0, 0, 0];
  for (let offset = 12; offset + 8 <= data.length;) {
    const kind = data.toString("latin1", offset, offset + 4);
    const length = data.readUInt32LE(offset + 4);
    if (kind === "VP8X" && offset + 18 <= data.length) {
      [width, height] = [data.readUIntLE(offset + 12, 3) + 1, data.readUIntLE(offset + 15, 3) + 1];
    } else if (kind === "ANMF") frames++;
    offset += 8 + length + (length % 2);
  }
  return { width, height, frames };
}

/** Counts frames by the header; browsers show no frames beyond that number. */
function countPng(data: Buffer): FrameCount {
  let [width, height, frames] = [0, 0, 0];
  for (let offset = 8; offset + 12 <= data.length; offset += 12 + data.readUInt32BE(offset)) {
    const kind = data.toString("latin1", offset + 4, offset + 8);
    if (kind === "IHDR" && offset + 16 <= data.length) {
      [width, height] = [data.readUInt32BE(offset + 8), data.readUInt32BE(offset + 12)];
    } else if (kind === "acTL") frames = data.readUInt32BE(offset + 8);
    else if (kind === "IDAT") break;
  }
  return { width, height, frames };
}
