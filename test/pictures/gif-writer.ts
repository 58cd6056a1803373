// Writes animated GIFs for tests.

export interface GifFrame {
  left?: number;
  top?: number;
  width: number;
  height: number;
  /** Color index of a pixel in the frame. */
  pixelAt: (x: number, y: number) => number;
  hundredths?: number;
  disposal?: number;
  hole?: number;
  isInterlaced?: boolean;
}

/** `table` has 256 colors. If `repeats` is undefined, the GIF states no repeat count. */
export function gif(
  width: number,
  height: number,
  table: readonly number[],
  frames: readonly GifFrame[],
  repeats?: number,
): Uint8Array<ArrayBuffer> {
  const parts: (Buffer | number[])[] = [
    Buffer.from("GIF89a"),
    [...uint16(width), ...uint16(height), 0xf7, 0, 0],
    [...table],
  ];
  if (repeats !== undefined) {
    parts.push([0x21, 0xff, 11], Buffer.from("NETSCAPE2.0"), [3, 1, ...uint16(repeats), 0]);
  }
  for (const frame of frames) {
    const { left = 0, top = 0, hundredths = 10, disposal = 0, hole: gap = -1 } = frame;
    const flags = (disposal << 2) | (gap >= 0 ? 1 : 0);
    parts.push([0x21, 0xf9, 4, flags, ...uint16(hundredths), Math.max(gap, 0), 0]);
    const box = [left, top, frame.width, frame.height].flatMap(uint16);
    parts.push([0x2c, ...box, frame.isInterlaced ? 0x40 : 0, 8]);
    const codes = compressLzw(pixelIndexesOf(frame));
    for (let offset = 0; offset < codes.length; offset += 255) {
      const block = codes.subarray(offset, offset + 255);
      parts.push([block.length], block);
    }
    parts.push([0]);
  }
  return new Uint8Array(
    Buffer.concat([...parts.map((part) => Buffer.from(part)), Buffer.of(0x3b)]),
  );
}

const uint16 = (value: number) => [value & 255, value >> 8];

function pixelIndexesOf({ width, height, pixelAt, isInterlaced }: GifFrame): number[] {
  const rows = Array.from({ length: height }, (_, y) => y);
  const pass = (y: number) => (y % 8 === 0 ? 0 : y % 8 === 4 ? 1 : y % 4 === 2 ? 2 : 3);
  if (isInterlaced) rows.sort((a, b) => pass(a) - pass(b) || a - b);
  return rows.flatMap((y) => Array.from({ length: width }, (_, x) => pixelAt(x, y)));
}

function compressLzw(places: readonly number[]): Buffer {
  const out: number[] = [];
  let [accumulator, fill, bits] = [0, 0, 9];
  const write = (code: number) => {
    accumulator |= code << fill;
    for (fill += bits; fill >= 8; fill -= 8) {
      out.push(accumulator & 255);
      accumulator >>>= 8;
    }
  };
  let codes = new Map<string, number>();
  const clear = () => {
    write(256);
    bits = 9;
    codes = new Map(Array.from({ length: 256 }, (_, i) => [String(i), i]));
  };
  clear();
  let run = "";
  for (const index of places) {
    const extended = run === "" ? String(index) : `${run},${index}`;
    if (codes.has(extended)) {
      run = extended;
      continue;
    }
    write(codes.get(run)!);
    const next = codes.size + 2;
    if (next === 4_095) clear();
    else {
      codes.set(extended, next);
      if (next === 1 << bits) bits++;
    }
    run = String(index);
  }
  write(codes.get(run)!);
  write(257);
  if (fill > 0) out.push(accumulator & 255);
  return Buffer.from(out);
}
