// Writes TIFF images for tests, in the forms that the decoder supports.
import { deflateSync } from "node:zlib";

export interface TiffOptions {
  width: number;
  height: number;
  bits?: number;
  samples?: number;
  photometric?: number;
  compression?: number;
  predictor?: number;
  isLittle?: boolean;
  rowsPerStrip?: number;
  tile?: { width: number; height: number };
  palette?: number[];
  hasAlpha?: boolean;
  /** Fields that replace the written ones, by tag. */
  fields?: Record<number, number[]>;
}

/** `sample` returns each sample of the image; `bits` is its width. */
export function tiff(
  expected: TiffOptions,
  sample: (x: number, y: number, index: number) => number,
): Uint8Array<ArrayBuffer> {
  const {
    width,
    height,
    isLittle: isLittleEndian = true,
    compression = 1,
    rowsPerStrip = height,
  } = expected;
  const tile = expected.tile ?? { width, height: rowsPerStrip };
  const chunks: Buffer[] = [];
  for (let top = 0; top < height; top += tile.height) {
    for (let left = 0; left < width; left += tile.width) {
      const rows = expected.tile ? tile.height : Math.min(tile.height, height - top);
      chunks.push(compress(compression, rowsOf(expected, tile.width, rows, left, top, sample)));
    }
  }
  return assembleFile(
    isLittleEndian,
    fieldsOf(expected, tile),
    chunks,
    expected.tile !== undefined,
  );
}

function rowsOf(
  { bits = 8, samples = 1, predictor = 1, isLittle: isLittleEndian = true, ...size }: TiffOptions,
  across: number,
  rows: number,
  left: number,
  top: number,
  sample: (x: number, y: number, index: number) => number,
): Buffer {
  const stride = Math.ceil((across * samples * bits) / 8);
  const out = Buffer.alloc(stride * rows);
  const sampleAt = (x: number, y: number, i: number) =>
    left + x < size.width && top + y < size.height ? sample(left + x, top + y, i) : 0;
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < across; x++) {
      for (let i = 0; i < samples; i++) {
        const before = predictor === 2 && x > 0 ? sampleAt(x - 1, y, i) : 0;
        const value = (sampleAt(x, y, i) - before) & (2 ** bits - 1);
        const index = y * stride + (x * samples + i) * (bits >> 3);
        if (bits === 1) out[y * stride + (x >> 3)]! |= value << (7 - (x & 7));
        else if (bits === 8) out[index] = value;
        else if (isLittleEndian) out.writeUInt16LE(value, index);
        else out.writeUInt16BE(value, index);
      }
    }
  }
  return out;
}

function compress(compression: number, bytes: Buffer): Buffer {
  if (compression === 5) return lzw(bytes);
  if (compression === 8) return deflateSync(bytes);
  return compression === 32773 ? packBits(bytes) : bytes;
}

function packBits(bytes: Buffer): Buffer {
  const out: number[] = [];
  for (let offset = 0; offset < bytes.length;) {
    let end = offset + 1;
    while (end < bytes.length && end - offset < 128 && bytes[end] === bytes[offset]) end++;
    if (end - offset > 1) out.push(257 - (end - offset), bytes[offset]!);
    else out.push(0, bytes[offset]!);
    offset = end;
  }
  return Buffer.from(out);
}

function lzw(bytes: Buffer): Buffer {
  const out: number[] = [];
  let [accumulator, count, bits] = [0, 0, 9];
  const write = (code: number) => {
    accumulator = (accumulator << bits) | code;
    count += bits;
    for (; count >= 8; count -= 8) out.push((accumulator >> (count - 8)) & 255);
    accumulator &= (1 << count) - 1;
  };
  let codes = new Map<string, number>();
  const clear = () => {
    write(256);
    bits = 9;
    codes = new Map(Array.from({ length: 256 }, (_, i) => [String.fromCharCode(i), i]));
  };
  clear();
  let run = "";
  for (const byte of bytes) {
    const extended = run + String.fromCharCode(byte);
    if (codes.has(extended)) {
      run = extended;
      continue;
    }
    write(codes.get(run)!);
    codes.set(extended, codes.size + 2);
    if (codes.size + 2 === 4_095) clear();
    else if (codes.size + 2 >= 1 << bits) bits++;
    run = String.fromCharCode(byte);
  }
  if (run !== "") write(codes.get(run)!);
  if (codes.size + 3 >= 1 << bits && run !== "" && bits < 12) bits++;
  write(257);
  if (count > 0) out.push((accumulator << (8 - count)) & 255);
  return Buffer.from(out);
}

function fieldsOf(expected: TiffOptions, tile: { width: number; height: number }) {
  const { width, height, bits = 8, samples = 1, photometric = 1, palette } = expected;
  const { compression = 1, predictor = 1 } = expected;
  return new Map<number, number[]>([
    [256, [width]],
    [257, [height]],
    [258, Array<number>(samples).fill(bits)],
    [259, [compression]],
    [262, [photometric]],
    [277, [samples]],
    ...(expected.tile
      ? ([
          [322, [tile.width]],
          [323, [tile.height]],
        ] as [number, number[]][])
      : ([[278, [tile.height]]] as [number, number[]][])),
    [317, [predictor]],
    ...(palette ? ([[320, palette]] as [number, number[]][]) : []),
    ...(expected.hasAlpha ? ([[338, [2]]] as [number, number[]][]) : []),
    ...Object.entries(expected.fields ?? {}).map(([tag, of]): [number, number[]] => [+tag, of]),
  ]);
}

/** Writes all numbers as LONG, which every reader supports. */
function assembleFile(
  isLittleEndian: boolean,
  fields: Map<number, number[]>,
  chunks: readonly Buffer[],
  isTiled: boolean,
): Uint8Array<ArrayBuffer> {
  const head = 8;
  let offset = head;
  const offsets = chunks.map((chunk) => (offset += chunk.length) - chunk.length);
  fields.set(isTiled ? 324 : 273, offsets);
  fields.set(
    isTiled ? 325 : 279,
    chunks.map((chunk) => chunk.length),
  );
  const start = offset;
  let beyond = start + 2 + fields.size * 12 + 4;
  const rows: [number, number, number, number[]][] = [];
  for (const [tag, values] of [...fields].toSorted(([a], [b]) => a - b)) {
    rows.push([tag, values.length, values.length > 1 ? beyond : values[0]!, values]);
    if (values.length > 1) beyond += values.length * 4;
  }
  const out = new Uint8Array(beyond);
  const view = new DataView(out.buffer);
  out.set(Buffer.from(isLittleEndian ? "II" : "MM"));
  view.setUint16(2, 42, isLittleEndian);
  view.setUint32(4, start, isLittleEndian);
  chunks.forEach((chunk, i) => out.set(chunk, offsets[i]));
  view.setUint16(start, rows.length, isLittleEndian);
  rows.forEach(([tag, count, value, values], i) => {
    const row = start + 2 + i * 12;
    view.setUint16(row, tag, isLittleEndian);
    view.setUint16(row + 2, 4, isLittleEndian);
    view.setUint32(row + 4, count, isLittleEndian);
    view.setUint32(row + 8, value, isLittleEndian);
    if (count > 1) values.forEach((v, j) => view.setUint32(value + j * 4, v, isLittleEndian));
  });
  return out;
}
