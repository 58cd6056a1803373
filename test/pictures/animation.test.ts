// Animated images are read frame by frame, scaled down and encoded as WebP.
import { expect, test } from "bun:test";
import { smaller } from "../../src/pictures/decode.ts";
import { NotDecodable, TooManyPixels } from "../../src/pictures/formats.ts";
import { animatedGif } from "../../src/pictures/gif.ts";
import { pngPixels } from "../../src/pictures/png-pixels.ts";
import { animatedWebp } from "../../src/pictures/webp.ts";
import { noise } from "../random.ts";
import { gif, type GifFrame } from "./gif-writer.ts";

const table = Array.from({ length: 256 }, (_, i) => [i, 255 - i, (i * 7) & 255]).flat();
const colorOf = (index: number) => [...table.slice(index * 3, index * 3 + 3), 255];
const NONE = [0, 0, 0, 0];
const [W, H] = [120, 90];
const most = { width: 60, height: 60 };

const fullFrame = (index: number, extra: Partial<GifFrame> = {}): GifFrame => ({
  width: W,
  height: H,
  pixelAt: () => index,
  ...extra,
});
const patch = (index: number, extra: Partial<GifFrame> = {}): GifFrame => ({
  ...{ left: 10, top: 20, width: 30, height: 40, pixelAt: () => index },
  ...extra,
});

/** Time of each frame, and the colors inside and outside the patch. */
function framePixels(bytes: Uint8Array) {
  const { frames } = animatedGif(bytes);
  const framesSeen = [];
  for (const { data, delay_ms } of frames() as Iterable<{ data: Uint8Array; delay_ms: number }>) {
    const pixelAt = (x: number, y: number) => [
      ...data.subarray((y * W + x) * 4, (y * W + x) * 4 + 4),
    ];
    framesSeen.push([delay_ms, pixelAt(25, 40), pixelAt(100, 80)]);
  }
  return framesSeen;
}

test("composes frames of a GIF, and disposes of them as each demands", () => {
  const under = fullFrame(5);
  const framesAfterDisposal = (disposal: number) =>
    framePixels(
      gif(W, H, table, [under, patch(9, { disposal }), patch(7, { width: 2, height: 2 })]),
    );
  const lastFrame = (disposal: number) => framesAfterDisposal(disposal).at(-1);
  expect(framesAfterDisposal(0).slice(0, 2)).toEqual([
    [100, colorOf(5), colorOf(5)],
    [100, colorOf(9), colorOf(5)],
  ]);
  expect(lastFrame(0)).toEqual([100, colorOf(9), colorOf(5)]);
  expect(lastFrame(2)).toEqual([100, NONE, colorOf(5)]);
  expect(lastFrame(3)).toEqual([100, colorOf(5), colorOf(5)]);
  const holed = gif(W, H, table, [
    under,
    fullFrame(3, { hole: 3 }),
    fullFrame(8, { hundredths: 1 }),
  ]);
  expect(framePixels(holed)).toEqual([
    [100, colorOf(5), colorOf(5)],
    [100, colorOf(5), colorOf(5)],
    [100, colorOf(8), colorOf(8)],
  ]);
});

test("decodes a frame with all code widths, interlaced or not", async () => {
  const noise = (x: number, y: number) =>
    (Math.imul(x * 31 + y * 1009, 2_654_435_761) >>> 24) & 127;
  for (const isInterlaced of [false, true]) {
    const bytes = gif(W, H, table, [fullFrame(0, { pixelAt: noise, isInterlaced })]);
    const [frame] = animatedGif(bytes).frames() as Iterable<{ data: Uint8Array }>;
    const expected = pngPixels(await new Bun.Image(bytes).png().bytes(), W, H);
    expect(frame!.data).toEqual(expected!);
    expect([...frame!.data.subarray(0, 4)]).toEqual(colorOf(noise(0, 0)));
  }
});

test("converts a GIF or an animated WebP to a smaller WebP that moves alike", async () => {
  const frames = [fullFrame(5), fullFrame(200, { hundredths: 35 }), patch(90, { hundredths: 20 })];
  for (const [repeats, loops] of [
    [undefined, 1],
    [0, 0],
    [2, 3],
  ] as const) {
    const first = await smaller(gif(W, H, table, frames, repeats), "image/gif", most);
    const repeated = await smaller(first.bytes, "image/webp", { width: 30, height: 30 });
    for (const { bytes, width, height } of [first, repeated]) {
      const moving = animatedWebp(bytes);
      expect([moving.width, moving.height, moving.loops]).toEqual([width, height, loops]);
      const framesSeen = [];
      for await (const { data, delay_ms } of moving.frames())
        framesSeen.push([delay_ms, data[0]! >> 4]);
      expect(framesSeen).toEqual([
        [100, 0],
        [350, 12],
        [200, 12],
      ]);
    }
    expect([first.width, first.height, repeated.width, repeated.height]).toEqual([60, 45, 30, 23]);
  }
});

test("decoding of any codes ends, in a frame of its own size", () => {
  for (let round = 0; round < 200; round++) {
    const bytes = gif(64, 64, table, [{ width: 64, height: 64, pixelAt: (x, y) => x ^ y }]);
    const codes = bytes.length - 70;
    bytes.set([1 + (round % 8)], bytes.indexOf(0x2c, 13 + table.length) + 10);
    bytes.set(noise(60), codes);
    const frames = animatedGif(bytes).frames() as Iterable<{ data: Uint8Array }>;
    for (const { data } of frames) expect(data.length).toBe(64 * 64 * 4);
  }
});

test("rejects what is too large, too long, or broken", async () => {
  const failure = (bytes: Uint8Array, type: "image/gif" | "image/webp" = "image/gif") =>
    smaller(bytes, type, most).catch((error: unknown) => error);
  const vast = gif(W, H, table, [fullFrame(1)]);
  vast.set([0xff, 0xff, 0xff, 0xff], 6);
  expect(await failure(vast)).toBeInstanceOf(TooManyPixels);
  const long = gif(1, 1, table, Array(1_001).fill({ width: 1, height: 1, pixelAt: () => 1 }));
  expect(await failure(long)).toBeInstanceOf(TooManyPixels);
  const outside = gif(W, H, table, [patch(1, { left: 100 })]);
  for (const bytes of [outside, new Uint8Array(), vast.slice(0, 9), gif(W, H, table, [])]) {
    expect(await failure(bytes)).toBeInstanceOf(NotDecodable);
  }
  const { bytes } = await smaller(
    gif(W, H, table, [fullFrame(5), fullFrame(6)]),
    "image/gif",
    most,
  );
  for (let cut = 0; cut < bytes.length; cut += 29) {
    const rest = await failure(bytes.subarray(0, cut), "image/webp");
    expect(rest instanceof NotDecodable || "bytes" in (rest as object)).toBe(true);
  }
});
