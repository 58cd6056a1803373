// Decodes animated GIF images frame by frame, each composed as displayed.
import { NotDecodable } from "./formats.ts";
import type { Frame, Animation } from "./frames.ts";

const EXTENSION = 0x21;
const CONTROL = 0xf9;
const APPLICATION = 0xff;
const IMAGE = 0x2c;
const LOOP_COUNT_AT = 13;
const CODES_MAX = 4_096;
/** Browsers replace shorter delays. */
const DELAY_LEAST_MS = 20;
const DELAY_MS = 100;
const BACKGROUND = 2;
const PREVIOUS = 3;

interface Control {
  delay_ms: number;
  disposal: number;
  /** Index of the transparent color; -1 if there is none. */
  hole: number;
}

const PLAIN: Control = { delay_ms: DELAY_MS, disposal: 0, hole: -1 };

export function animatedGif(bytes: Uint8Array): Animation {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (data.length < 13) throw new NotDecodable("it is truncated");
  const [width, height] = [data.readUInt16LE(6), data.readUInt16LE(8)];
  return { width, height, loops: loopsOf(data), frames: () => framesOf(data, width, height) };
}

/** 0 for endless. */
function loopsOf(data: Buffer): number {
  const index = data.indexOf("NETSCAPE2.0");
  const exists =
    index > 2 && data[index - 2] === APPLICATION && index + LOOP_COUNT_AT + 2 <= data.length;
  if (!exists) return 1;
  const repeats = data.readUInt16LE(index + LOOP_COUNT_AT);
  return repeats === 0 ? 0 : repeats + 1;
}

function* framesOf(data: Buffer, width: number, height: number): Iterable<Frame> {
  const canvas = new Uint8Array(width * height * 4);
  const shared = tableAt(data, 13, data[10]!);
  let [offset, control] = [13 + shared.length, PLAIN];
  while (offset < data.length) {
    const kind = data[offset];
    if (kind === EXTENSION) {
      if (data[offset + 1] === CONTROL && offset + 7 < data.length)
        control = controlAt(data, offset + 3);
      offset = endOfBlocks(data, offset + 2);
    } else if (kind === IMAGE && offset + 11 < data.length) {
      const before = control.disposal === PREVIOUS ? canvas.slice() : undefined;
      const [colorTable, start] = [tableAt(data, offset + 10, data[offset + 9]!), offset + 10];
      const area = areaAt(data, offset, width, height);
      const codes = start + colorTable.length;
      const places = unpacked(data, codes, area.width * area.height);
      paint(
        canvas,
        width,
        height,
        area,
        places,
        colorTable.length > 0 ? colorTable : shared,
        control.hole,
      );
      yield { data: canvas, delay_ms: control.delay_ms };
      if (before) canvas.set(before);
      else if (control.disposal === BACKGROUND) clear(canvas, width, height, area);
      [offset, control] = [endOfBlocks(data, codes + 1), PLAIN];
    } else return;
  }
}

function controlAt(data: Buffer, offset: number): Control {
  const flags = data[offset]!;
  const input = data.readUInt16LE(offset + 1) * 10;
  const delay_ms = input < DELAY_LEAST_MS ? DELAY_MS : input;
  return { delay_ms, disposal: (flags >> 2) & 7, hole: flags & 1 ? data[offset + 3]! : -1 };
}

function tableAt(data: Buffer, offset: number, flags: number): Uint8Array {
  return flags & 0x80
    ? data.subarray(offset, offset + 3 * 2 ** ((flags & 7) + 1))
    : new Uint8Array();
}

interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
  isInterlaced: boolean;
}

/** Clips the frame to the image. */
function areaAt(data: Buffer, offset: number, width: number, height: number): Area {
  const [left, top] = [data.readUInt16LE(offset + 1), data.readUInt16LE(offset + 3)];
  const size = { width: data.readUInt16LE(offset + 5), height: data.readUInt16LE(offset + 7) };
  if (left + size.width > width || top + size.height > height) throw new NotDecodable("its frames");
  return { left, top, ...size, isInterlaced: (data[offset + 9]! & 0x40) !== 0 };
}

/** Returns the position after a sequence of data sub-blocks. */
function endOfBlocks(data: Buffer, from: number): number {
  let offset = from;
  while (offset < data.length && data[offset] !== 0) offset += data[offset]! + 1;
  return offset + 1;
}

function* blocksAt(data: Buffer, from: number): Iterable<number> {
  for (let offset = from; offset < data.length && data[offset] !== 0; offset += data[offset]! + 1) {
    yield* data.subarray(offset + 1, offset + 1 + data[offset]!);
  }
}

/** Returns the color index of each pixel; missing pixels are 0. */
function unpacked(data: Buffer, offset: number, count: number): Uint8Array {
  const min = data[offset] ?? 0;
  if (min < 1 || min > 8) throw new NotDecodable("its codes");
  const [CLEAR_CODE, END] = [1 << min, (1 << min) + 1];
  const prefix = new Uint16Array(CODES_MAX);
  const suffix = new Uint8Array(CODES_MAX).map((_, code) => code);
  const length = new Uint16Array(CODES_MAX).fill(1);
  const out = new Uint8Array(count);
  let [bits, next, previous, to, heldBits, fill] = [min + 1, END + 1, -1, 0, 0, 0];
  for (const byte of blocksAt(data, offset + 1)) {
    heldBits |= byte << fill;
    fill += 8;
    while (fill >= bits) {
      const code = heldBits & ((1 << bits) - 1);
      heldBits >>>= bits;
      fill -= bits;
      if (code === END || to >= count) return out;
      if (code === CLEAR_CODE) {
        [bits, next, previous] = [min + 1, END + 1, -1];
        continue;
      }
      const isKnown = code < CLEAR_CODE || (code > END && code < next);
      if (!isKnown && (previous < 0 || code !== next)) return out;
      const decodedCode = isKnown ? code : previous;
      const end = to + length[decodedCode]!;
      let first = decodedCode;
      for (let index = end - 1; index >= to; index--) {
        if (index < count) out[index] = suffix[first]!;
        if (index > to) first = prefix[first]!;
      }
      to = end;
      if (!isKnown && to < count) out[to] = suffix[first]!;
      if (!isKnown) to++;
      if (previous >= 0 && next < CODES_MAX) {
        prefix[next] = previous;
        suffix[next] = suffix[first]!;
        length[next] = length[previous]! + 1;
        next++;
        if (next === 1 << bits && bits < 12) bits++;
      }
      previous = code;
    }
  }
  return out;
}

function paint(
  canvas: Uint8Array,
  width: number,
  height: number,
  area: Area,
  places: Uint8Array,
  table: Uint8Array,
  gap: number,
): void {
  const rows = area.isInterlaced ? interlaced(area.height) : undefined;
  for (let row = 0; row < area.height; row++) {
    const y = area.top + (rows?.[row] ?? row);
    if (y >= height) continue;
    for (let column = 0; column < area.width; column++) {
      const index = places[row * area.width + column]!;
      if (index === gap) continue;
      const to = (y * width + area.left + column) * 4;
      for (let i = 0; i < 3; i++) canvas[to + i] = table[index * 3 + i] ?? 0;
      canvas[to + 3] = 255;
    }
  }
}

/** Interlaced images store their rows in four passes. */
function interlaced(height: number): number[] {
  const rows: number[] = [];
  for (const [first, step] of [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ] as const) {
    for (let row = first; row < height; row += step) rows.push(row);
  }
  return rows;
}

function clear(canvas: Uint8Array, width: number, height: number, area: Area): void {
  for (let y = area.top; y < Math.min(height, area.top + area.height); y++) {
    canvas.fill(0, (y * width + area.left) * 4, (y * width + area.left + area.width) * 4);
  }
}
