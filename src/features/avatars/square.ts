// Makes a square picture of any: its middle, scaled.
import { inflateSync } from "node:zlib";
import { badImage } from "../../errors.ts";
import type { Realm } from "../../realm.ts";
import { inTurn } from "../files/keep.ts";
import { decoding, imageOf } from "../files/picture.ts";
import { colorPng } from "./png.ts";

const QUALITY = 85;
/** A longer picture is pressed together. */
const RATIO_MAX = 4;
const PIXEL_BYTES = 4;

export function squareOf(realm: Realm, bytes: Uint8Array, side: number): Promise<Uint8Array> {
  return inTurn(realm)(() => decoding(square(bytes, side)));
}

async function square(bytes: Uint8Array, side: number): Promise<Uint8Array> {
  const { width, height } = await imageOf(bytes).metadata();
  const scale = side / Math.min(width, height);
  const most = RATIO_MAX * side;
  const [w, h] = [width, height].map((length) => Math.min(Math.round(length * scale), most));
  const scaled = imageOf(bytes).resize(w!, h!);
  if (w === h) return scaled.webp({ quality: QUALITY }).bytes();
  const pixels = pixelsOf(await scaled.png({ compressionLevel: 1 }).bytes(), w!, h!);
  const middle = colorPng(side, side, middleOf(pixels, w!, h!, side));
  return imageOf(middle).webp({ quality: QUALITY }).bytes();
}

function middleOf(pixels: Uint8Array, width: number, height: number, side: number): Uint8Array {
  const [left, top] = [(width - side) >> 1, (height - side) >> 1];
  const middle = new Uint8Array(side * side * PIXEL_BYTES);
  for (let row = 0; row < side; row++) {
    const from = ((top + row) * width + left) * PIXEL_BYTES;
    middle.set(pixels.subarray(from, from + side * PIXEL_BYTES), row * side * PIXEL_BYTES);
  }
  return middle;
}

/** Of a PNG with four bytes a pixel, as the pipeline writes them. */
function pixelsOf(bytes: Uint8Array, width: number, height: number): Uint8Array {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isAsWritten = png.readUInt32BE(16) === width && png.readUInt16BE(24) === 0x0806;
  if (!isAsWritten) throw badImage();
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const isData = png.toString("latin1", at + 4, at + 8) === "IDAT";
    if (isData) data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  return unfiltered(inflateSync(Buffer.concat(data)), width * PIXEL_BYTES, height);
}

/** Each line begins with the number of its filter, which says what was taken from its bytes. */
function unfiltered(lines: Uint8Array, stride: number, height: number): Uint8Array {
  const out = new Uint8Array(stride * height);
  for (let row = 0; row < height; row++) {
    const filter = lines[row * (stride + 1)]!;
    for (let i = 0; i < stride; i++) {
      const at = row * stride + i;
      const left = i < PIXEL_BYTES ? 0 : out[at - PIXEL_BYTES]!;
      const up = row === 0 ? 0 : out[at - stride]!;
      const corner = i < PIXEL_BYTES || row === 0 ? 0 : out[at - stride - PIXEL_BYTES]!;
      out[at] = lines[row * (stride + 1) + 1 + i]! + predicted(filter, left, up, corner);
    }
  }
  return out;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    default: {
      const [a, b, c] = [up - corner, left - corner, left + up - 2 * corner].map(Math.abs);
      return a! <= b! && a! <= c! ? left : b! <= c! ? up : corner;
    }
  }
}
