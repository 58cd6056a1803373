// TIFF in all supported forms, and errors of invalid files.
import { expect, test } from "bun:test";
import { checkSize, TooManyPixels } from "../../src/pictures/formats.ts";
import { NotATiff, pixelsOf, tiffOf } from "../../src/pictures/tiff.ts";
import { noise } from "../random.ts";
import { tiff, type TiffOptions } from "./tiff-writer.ts";

const size = { width: 37, height: 23 };
const color = (x: number, y: number, i: number) => (x * 7 + y * 13 + i * 91 + x * y) & 255;
const read = (bytes: Uint8Array) => pixelsOf(tiffOf(bytes));

function pixels(of: (x: number, y: number) => number[]): Uint8Array {
  const rows = Array.from({ length: size.height }, (_, y) =>
    Array.from({ length: size.width }, (_, x) => of(x, y)),
  );
  return Uint8Array.from(rows.flat(2));
}

const colored = pixels((x, y) => [...[0, 1, 2].map((i) => color(x, y, i)), 255]);
const rgb: TiffOptions = { ...size, photometric: 2, samples: 3 };

test("reads colors in every packing, order, and strip", () => {
  const cuts: Partial<TiffOptions>[] = [
    {},
    { rowsPerStrip: 5 },
    { tile: { width: 16, height: 16 } },
  ];
  for (const compression of [1, 5, 8, 32773]) {
    for (const predictor of [1, 2]) {
      for (const isLittleEndian of [true, false]) {
        for (const cut of cuts) {
          const bytes = tiff(
            { ...rgb, compression, predictor, isLittle: isLittleEndian, ...cut },
            color,
          );
          expect(read(bytes)).toEqual(colored);
        }
      }
    }
  }
});

test("reads 16 bits, 1 bit, gray, transparency, palettes and inks alike", () => {
  const wideSample = (x: number, y: number, i: number) => color(x, y, i) * 256 + 17;
  for (const isLittleEndian of [true, false]) {
    for (const predictor of [1, 2]) {
      expect(
        read(tiff({ ...rgb, bits: 16, isLittle: isLittleEndian, predictor }, wideSample)),
      ).toEqual(colored);
    }
  }
  const grey = (x: number, y: number) => color(x, y, 0);
  const greys = pixels((x, y) => [grey(x, y), grey(x, y), grey(x, y), 255]);
  expect(read(tiff(size, grey))).toEqual(greys);
  expect(read(tiff({ ...size, photometric: 0 }, (x, y) => 255 - grey(x, y)))).toEqual(greys);
  const bit = (x: number, y: number) => (x + y) & 1;
  const black = pixels((x, y) => [...Array(3).fill(bit(x, y) * 255), 255]);
  expect(read(tiff({ ...size, bits: 1 }, bit))).toEqual(black);
  const readWord = tiff({ ...rgb, samples: 4, hasAlpha: true }, color);
  expect(read(readWord)).toEqual(pixels((x, y) => [0, 1, 2, 3].map((i) => color(x, y, i))));
  const palette = Array.from({ length: 768 }, (_, index) => ((index * 5) & 255) * 257);
  const rgbAt = (x: number, y: number) => [0, 1, 2].map((i) => palette[grey(x, y) + i * 256]! >> 8);
  const indexed = tiff({ ...size, photometric: 3, palette }, grey);
  expect(read(indexed)).toEqual(pixels((x, y) => [...rgbAt(x, y), 255]));
  const inks = tiff({ ...size, photometric: 5, samples: 4 }, (x, y, i) =>
    i === 3 ? 0 : 255 - color(x, y, i),
  );
  expect(read(inks)).toEqual(colored);
});

test("a large picture uses all widths of LZW codes", () => {
  const large = { width: 400, height: 300 };
  const noise = (x: number, y: number) => (Math.imul(x * 31 + y * 1009, 2_654_435_761) >>> 24) & 31;
  const [packed, plain] = [5, 1].map((compression) => read(tiff({ ...large, compression }, noise)));
  expect(packed).toEqual(plain!);
});

test("rejects images whose header declares too large a size in any field", () => {
  const alteredTags: Record<number, number[]>[] = [
    { 256: [60_000], 257: [60_000], 322: [60_000], 323: [60_000] },
    { 322: [60_000], 323: [60_000] },
  ];
  for (const fields of alteredTags) {
    const bytes = tiff({ ...rgb, tile: size, fields }, color);
    expect(() => checkSize(bytes, "image/tiff")).toThrow(TooManyPixels);
  }
});

test("rejects unreadable files, and decodes the rest of truncated ones", () => {
  const forms: Record<number, number[]>[] = [
    { 256: [0] },
    { 258: [8, 8, 4] },
    { 258: [32, 32, 32] },
    { 259: [7] },
    { 262: [6] },
    { 277: [60_000] },
    { 284: [2] },
    { 317: [3] },
    { 278: [1] },
  ];
  for (const fields of forms) expect(() => read(tiff({ ...rgb, fields }, color))).toThrow(NotATiff);
  const deflated = tiff({ ...rgb, compression: 8 }, color);
  for (let cut = 0; cut < deflated.length; cut += 7) {
    expect(() => read(deflated.subarray(0, cut))).toThrow(NotATiff);
  }
  const bomb = tiff({ ...rgb, compression: 8, fields: { 256: [1], 257: [1], 278: [1] } }, color);
  expect(() => read(bomb)).toThrow(NotATiff);
  const random = noise(2_000);
  random.set([0x49, 0x49, 42, 0, 8, 0, 0, 0]);
  expect(() => read(random)).toThrow(NotATiff);
});
