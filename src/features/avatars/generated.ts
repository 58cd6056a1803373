// Generates an avatar from a name: the same name always gives the same image.
import { type Color, png } from "../../pictures/png.ts";

/** Squares on a side; the right half mirrors the left. */
const SQUARES = 5;
const DRAWN_COLUMNS = 3;
/** The margin around the squares, in squares. */
const MARGIN = 0.5;

const PAPER: Color = [240, 240, 240];
const GREY: Color = [150, 150, 150];
const LIGHTNESS = 0.5;
const STRENGTH = 0.25;

/** Derives a pattern of squares from the name. */
export function identicon(name: string, pixels: number): Uint8Array<ArrayBuffer> {
  const hash = new Bun.CryptoHasher("sha256").update(name).digest();
  const isFilled = (row: number, column: number) => {
    const drawn = Math.min(column, SQUARES - 1 - column);
    return (hash[row * DRAWN_COLUMNS + drawn]! & 1) === 1;
  };
  return drawing(pixels, colorOf(hash.readUInt16BE(hash.length - 2) / 0x10000), isFilled);
}

/** Returns a gray head and shoulders, for an unknown user. */
export function silhouette(pixels: number): Uint8Array<ArrayBuffer> {
  const rows = ["..#..", ".###.", "..#..", ".###.", "#####"];
  return drawing(pixels, GREY, (row, column) => rows[row]![column] === "#");
}

function drawing(
  pixels: number,
  ink: Color,
  isFilled: (row: number, column: number) => boolean,
): Uint8Array<ArrayBuffer> {
  const square = pixels / (SQUARES + 2 * MARGIN);
  const squareAt = (index: number) => Math.floor(index / square - MARGIN);
  const places = new Uint8Array(pixels * pixels);
  const lines = Array.from({ length: SQUARES }, (_, row) =>
    Uint8Array.from({ length: pixels }, (_, x) => {
      const column = squareAt(x);
      return column >= 0 && column < SQUARES && isFilled(row, column) ? 1 : 0;
    }),
  );
  for (let y = 0; y < pixels; y++) {
    const line = lines[squareAt(y)];
    if (line) places.set(line, y * pixels);
  }
  return png(pixels, pixels, [PAPER, ink], places);
}

/** A color of medium saturation; `hue` is in the range from 0 to below 1. */
function colorOf(hue: number): Color {
  const colorByte = (offset: number) => {
    const index = (offset + hue * 12) % 12;
    const level = LIGHTNESS - STRENGTH * Math.max(-1, Math.min(index - 3, 9 - index, 1));
    return Math.round(level * 255);
  };
  return [colorByte(0), colorByte(8), colorByte(4)];
}
