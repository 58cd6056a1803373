// Splits animated WebP images into frames, and assembles frames into one.
import type { Size } from "./formats.ts";
import { NotDecodable } from "./formats.ts";
import type { Frame, Animation } from "./frames.ts";
import { pngPixels } from "./png-pixels.ts";

export interface WebpFrame {
  still: Uint8Array;
  delay_ms: number;
}

interface Chunk {
  kind: string;
  data: Buffer;
}

const ANIMATION_FLAG = 2;
const ALPHA_FLAG = 16;
const DISPOSE_FLAG = 1;
const NO_BLEND_FLAG = 2;
const FRAME_HEAD = 16;
const PIXEL_KINDS = ["ALPH", "VP8 ", "VP8L"];
const DELAY_MS_MAX = 0xff_ff_ff;

/** Detects the format by the first bytes. */
export function isAnimatedWebp(head: Uint8Array): boolean {
  const kind = Buffer.from(head.subarray(12, 16)).toString("latin1");
  return kind === "VP8X" && ((head[20] ?? 0) & ANIMATION_FLAG) !== 0;
}

export function animatedWebp(bytes: Uint8Array): Animation {
  const chunks = chunksOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 12);
  const head = chunks.find(({ kind }) => kind === "VP8X")?.data;
  const animationChunk = chunks.find(({ kind }) => kind === "ANIM")?.data;
  if (!head || head.length < 10 || !animationChunk || animationChunk.length < 6)
    throw new NotDecodable("it is still");
  const [width, height] = [head.readUIntLE(4, 3) + 1, head.readUIntLE(7, 3) + 1];
  const frames = chunks.filter(({ kind, data }) => kind === "ANMF" && data.length > FRAME_HEAD);
  const loops = animationChunk.readUInt16LE(4);
  return { width, height, loops, frames: () => framesOf({ width, height }, frames) };
}

async function* framesOf(canvas: Size, frames: readonly Chunk[]): AsyncIterable<Frame> {
  const pixels = new Uint8Array(canvas.width * canvas.height * 4);
  for (const { data } of frames) {
    const [left, top] = [data.readUIntLE(0, 3) * 2, data.readUIntLE(3, 3) * 2];
    const size = { width: data.readUIntLE(6, 3) + 1, height: data.readUIntLE(9, 3) + 1 };
    const isInside = left + size.width <= canvas.width && top + size.height <= canvas.height;
    if (!isInside) throw new NotDecodable("its frames");
    const flags = data[15]!;
    const frame = await stillPixels(size, chunksOf(data, FRAME_HEAD));
    drawFrame(pixels, canvas, frame, size, left, top, (flags & NO_BLEND_FLAG) !== 0);
    yield { data: pixels, delay_ms: data.readUIntLE(12, 3) };
    if (flags & DISPOSE_FLAG) {
      drawFrame(pixels, canvas, new Uint8Array(frame.length), size, left, top, true);
    }
  }
}

/** A frame has the same chunks as a still image, except for the header. */
async function stillPixels(size: Size, chunks: readonly Chunk[]): Promise<Uint8Array> {
  const pixelChunks = chunks.filter(({ kind }) => PIXEL_KINDS.includes(kind));
  const hasAlpha = pixelChunks.some(({ kind }) => kind === "ALPH");
  const still = joinChunks(hasAlpha ? [headOf(size, ALPHA_FLAG), ...pixelChunks] : pixelChunks);
  const limit = { maxPixels: size.width * size.height };
  const png = await new Bun.Image(still, limit)
    .png({ compressionLevel: 1 })
    .bytes()
    .catch(() => {
      throw new NotDecodable("a frame");
    });
  const pixels = pngPixels(png, size.width, size.height);
  if (!pixels) throw new NotDecodable("a frame's size");
  return pixels;
}

/** When blending, transparent pixels show the previous frame. */
function drawFrame(
  pixels: Uint8Array,
  canvas: Size,
  frame: Uint8Array,
  size: Size,
  left: number,
  top: number,
  isUnblended: boolean,
): void {
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const from = (y * size.width + x) * 4;
      const to = ((top + y) * canvas.width + left + x) * 4;
      const alpha = frame[from + 3]!;
      if (isUnblended || alpha === 255) {
        for (let i = 0; i < 4; i++) pixels[to + i] = frame[from + i]!;
      } else if (alpha > 0) blend(pixels, to, frame, from, alpha);
    }
  }
}

function blend(pixels: Uint8Array, to: number, frame: Uint8Array, from: number, alpha: number) {
  const belowAlpha = (pixels[to + 3]! * (255 - alpha)) / 255;
  const all = alpha + belowAlpha;
  for (let i = 0; i < 3; i++) {
    pixels[to + i] = (frame[from + i]! * alpha + pixels[to + i]! * belowAlpha) / all;
  }
  pixels[to + 3] = all;
}

/** Every frame is a complete image that replaces the previous one. */
export function assembledWebp(
  size: Size,
  loops: number,
  frames: readonly WebpFrame[],
): Uint8Array<ArrayBuffer> {
  const animationChunk = Buffer.alloc(6);
  animationChunk.writeUInt16LE(Math.min(loops, 0xffff), 4);
  const frameChunks = frames.map(({ still, delay_ms }) => {
    const data = Buffer.from(still.buffer, still.byteOffset, still.byteLength);
    const pixelChunks = chunksOf(data, 12).filter(({ kind }) => PIXEL_KINDS.includes(kind));
    const head = Buffer.alloc(FRAME_HEAD);
    head.writeUIntLE(size.width - 1, 6, 3);
    head.writeUIntLE(size.height - 1, 9, 3);
    head.writeUIntLE(Math.min(delay_ms, DELAY_MS_MAX), 12, 3);
    head[15] = NO_BLEND_FLAG;
    return { kind: "ANMF", data: Buffer.concat([head, ...pixelChunks.map(encodeChunk)]) };
  });
  return joinChunks([
    headOf(size, ANIMATION_FLAG | ALPHA_FLAG),
    { kind: "ANIM", data: animationChunk },
    ...frameChunks,
  ]);
}

function headOf({ width, height }: Size, flags: number): Chunk {
  const data = Buffer.alloc(10);
  data[0] = flags;
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return { kind: "VP8X", data };
}

function joinChunks(chunks: readonly Chunk[]): Uint8Array<ArrayBuffer> {
  const body = Buffer.concat([Buffer.from("WEBP"), ...chunks.map(encodeChunk)]);
  return new Uint8Array(encodeChunk({ kind: "RIFF", data: body }));
}

function encodeChunk({ kind, data }: Chunk): Buffer {
  const head = Buffer.alloc(8);
  head.write(kind, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

function chunksOf(bytes: Buffer, from: number): Chunk[] {
  const chunks: Chunk[] = [];
  for (let offset = from; offset + 8 <= bytes.length;) {
    const length = bytes.readUInt32LE(offset + 4);
    const kind = bytes.toString("latin1", offset, offset + 4);
    chunks.push({ kind, data: bytes.subarray(offset + 8, offset + 8 + length) });
    offset += 8 + length + (length % 2);
  }
  return chunks;
}
