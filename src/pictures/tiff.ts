// Decodes the first image of a TIFF file, in the formats that scanners and editors write.
import { inflateSync } from "node:zlib";
import { unpackLzw, unpackRuns } from "./tiff-decompress.ts";
import { colorsOf, type Tiff } from "./tiff-colors.ts";

export class NotATiff extends Error {}

const SIDE_MAX = 65_535;
const SHORT = 3;
const LONG_TYPE = 4;
const WIDTHS: Readonly<Record<number, number>> = { 1: 1, [SHORT]: 2, [LONG_TYPE]: 4 };

/** Detects TIFF by its first bytes. */
export function isTiff(bytes: Uint8Array): boolean {
  const mark = Buffer.from(bytes.subarray(0, 4)).toString("latin1");
  return mark === "II*\0" || mark === "MM\0*";
}

export function tiffOf(bytes: Uint8Array): Tiff {
  const isLittleEndian = bytes[0] === 0x49;
  const fields = fieldsOf(bytes, isLittleEndian);
  const all = (tag: number) => fields.get(tag) ?? [];
  const firstValue = (tag: number, otherwise: number) => fields.get(tag)?.[0] ?? otherwise;
  const [width, height] = [firstValue(256, 0), firstValue(257, 0)];
  const isTiled = fields.has(322);
  const tile = isTiled
    ? { width: firstValue(322, 0), height: firstValue(323, 0) }
    : { width, height: Math.min(firstValue(278, height), height) };
  const tiff: Tiff = {
    bytes,
    isLittleEndian,
    width,
    height,
    tile,
    offsets: all(isTiled ? 324 : 273),
    lengths: all(isTiled ? 325 : 279),
    compression: firstValue(259, 1),
    predictor: firstValue(317, 1),
    photometric: firstValue(262, 1),
    bits: firstValue(258, 1),
    samples: firstValue(277, 1),
    hasAlpha: [1, 2].includes(firstValue(338, 0)),
    palette: all(320),
  };
  const isPlain = firstValue(284, 1) === 1 && firstValue(266, 1) === 1;
  if (!isPlain || !all(258).every((bits) => bits === tiff.bits)) throw new NotATiff("its layout");
  return checked(tiff);
}

/** Returns four bytes per pixel. */
export function pixelsOf(tiff: Tiff): Uint8Array {
  const { width, height, tile, offsets } = tiff;
  const pixels = new Uint8Array(width * height * 4);
  const across = Math.ceil(width / tile.width);
  for (let index = 0; index < offsets.length; index++) {
    const [left, top] = [(index % across) * tile.width, Math.floor(index / across) * tile.height];
    if (top >= height) break;
    colorsOf(tiff, unpacked(tiff, index, Math.min(tile.height, height - top)), left, top, pixels);
  }
  return pixels;
}

function checked(tiff: Tiff): Tiff {
  const { width, height, tile, bits, samples, photometric, offsets, lengths } = tiff;
  const sides = [width, height, tile.width, tile.height];
  const hasSides = sides.every((side) => side > 0 && side <= SIDE_MAX);
  const hasBits = bits === 8 || bits === 16 || (bits === 1 && samples === 1);
  const min = [1, 1, 3, 1, undefined, 4][photometric];
  const hasColors = min !== undefined && samples >= min && samples <= 5;
  if (!hasSides || !hasBits || !hasColors) throw new NotATiff("its form");
  if (photometric === 3 && (bits !== 8 || tiff.palette.length !== 768))
    throw new NotATiff("palette");
  const tiles = Math.ceil(width / tile.width) * Math.ceil(height / tile.height);
  if (offsets.length < tiles || lengths.length < tiles) throw new NotATiff("its parts");
  return tiff;
}

/** Returns the numeric fields of the first directory by tag. */
function fieldsOf(bytes: Uint8Array, isLittleEndian: boolean): Map<number, number[]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields = new Map<number, number[]>();
  try {
    if (!isTiff(bytes)) throw new NotATiff("its mark");
    const start = view.getUint32(4, isLittleEndian);
    const count = view.getUint16(start, isLittleEndian);
    for (let offset = start + 2; offset < start + 2 + count * 12; offset += 12) {
      const width = WIDTHS[view.getUint16(offset + 2, isLittleEndian)];
      const length = view.getUint32(offset + 4, isLittleEndian);
      if (width === undefined || width * length > bytes.length) continue;
      const from = width * length <= 4 ? offset + 8 : view.getUint32(offset + 8, isLittleEndian);
      const read = (i: number) => numberAt(view, from + i * width, width, isLittleEndian);
      fields.set(
        view.getUint16(offset, isLittleEndian),
        Array.from({ length }, (_, i) => read(i)),
      );
    }
  } catch (error) {
    throw error instanceof RangeError ? new NotATiff("it is truncated") : error;
  }
  return fields;
}

function numberAt(view: DataView, offset: number, width: number, isLittleEndian: boolean): number {
  if (width === 1) return view.getUint8(offset);
  return width === 2
    ? view.getUint16(offset, isLittleEndian)
    : view.getUint32(offset, isLittleEndian);
}

/** Returns the samples of a tile, row by row; missing ones are 0. */
function unpacked(tiff: Tiff, index: number, rows: number): Uint8Array {
  const { bytes, offsets, lengths, tile, bits, samples, compression } = tiff;
  const stride = Math.ceil((tile.width * samples * bits) / 8);
  const packed = bytes.subarray(offsets[index]!, offsets[index]! + lengths[index]!);
  const out = new Uint8Array(stride * rows);
  switch (compression) {
    case 1:
      out.set(packed.subarray(0, out.length));
      break;
    case 5:
      unpackLzw(packed, out);
      break;
    case 8:
    case 32946:
      out.set(inflated(packed, stride * tile.height).subarray(0, out.length));
      break;
    case 32773:
      unpackRuns(packed, out);
      break;
    default:
      throw new NotATiff("its compression");
  }
  if (tiff.predictor === 2) undoDifferences(tiff, out, stride);
  else if (tiff.predictor !== 1) throw new NotATiff("its predictor");
  return out;
}

/** Limits the output to the size of a tile. */
function inflated(packed: Uint8Array, max: number): Uint8Array {
  try {
    return inflateSync(packed, { maxOutputLength: max });
  } catch {
    throw new NotATiff("its data");
  }
}

/** Each sample is stored as the difference from the one to its left. */
function undoDifferences({ samples, bits, isLittleEndian }: Tiff, out: Uint8Array, stride: number) {
  const view = new DataView(out.buffer);
  for (let row = 0; row + stride <= out.length; row += stride) {
    if (bits === 8) {
      for (let offset = row + samples; offset < row + stride; offset++)
        out[offset]! += out[offset - samples]!;
      continue;
    }
    for (let offset = row + samples * 2; offset + 1 < row + stride; offset += 2) {
      const leftSample = view.getUint16(offset - samples * 2, isLittleEndian);
      view.setUint16(offset, view.getUint16(offset, isLittleEndian) + leftSample, isLittleEndian);
    }
  }
}
