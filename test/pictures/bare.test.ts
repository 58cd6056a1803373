// Pictures without what they tell: whatever the bytes are, it comes to an end and adds nothing.
import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { bareBytes } from "../../src/pictures/bare/bare.ts";
import { movingGif, striped } from "../features/uploading.ts";
import { toldGif, toldHeif, toldJpeg, toldPng, toldWebp } from "./told.ts";

const GAINED_MAX = 64;
const TRIES = 400;

let files: [type: string, bytes: Uint8Array<ArrayBuffer>][];
beforeAll(async () => {
  const png = striped(30, 20);
  const image = () => new Bun.Image(png);
  files = [
    ["image/jpeg", toldJpeg(await image().jpeg().bytes())],
    ["image/png", toldPng(png)],
    ["image/webp", toldWebp(await image().webp().bytes(), 30, 20)],
    ["image/gif", toldGif(movingGif())],
    ["image/heic", toldHeif("heic", Buffer.from("pixels"))],
  ];
});

test("broken files of every format", async () => {
  const broken = fc.tuple(
    fc.nat({ max: 4 }),
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: 255 }))),
    fc.double({ min: 0, max: 1, noNaN: true }),
  );
  await fc.assert(
    fc.asyncProperty(broken, async ([nth, changes, end]) => {
      const [type, whole] = files[nth]!;
      const bytes = whole.slice(0, Math.ceil(whole.length * end));
      for (const [place, byte] of changes) bytes[Math.floor(place * bytes.length)] = byte;
      const kept = await bareBytes(bytes, type);
      expect(kept.length).toBeLessThanOrEqual(bytes.length + GAINED_MAX);
    }),
    { numRuns: TRIES },
  );
});

test("a file of too many pieces stays as it is", async () => {
  const fill = new Uint8Array(2_000_000).fill(0xff);
  fill.set([0xff, 0xd8]);
  expect(await bareBytes(fill, "image/jpeg")).toEqual(fill);
  const segments = Buffer.alloc(2_000_000, Buffer.from([0xff, 0xe5, 0, 2]));
  const jpeg = new Uint8Array(Buffer.concat([Buffer.from([0xff, 0xd8]), segments]));
  expect(await bareBytes(jpeg, "image/jpeg")).toEqual(jpeg);
});
