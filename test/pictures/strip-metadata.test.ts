// Removing image metadata terminates for any bytes, and adds nothing.
import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { withoutMetadata } from "../../src/pictures/strip-metadata/strip.ts";
import { movingGif, striped } from "../features/upload-fixture.ts";
import {
  gifWithMetadata,
  heifWithMetadata,
  jpegWithMetadata,
  pngWithMetadata,
  webpWithMetadata,
} from "./images-with-metadata.ts";

const ADDED_BYTES_MAX = 64;
const TRIES = 400;

let files: [type: string, bytes: Uint8Array<ArrayBuffer>][];
beforeAll(async () => {
  const png = striped(30, 20);
  const image = () => new Bun.Image(png);
  files = [
    ["image/jpeg", jpegWithMetadata(await image().jpeg().bytes())],
    ["image/png", pngWithMetadata(png)],
    ["image/webp", webpWithMetadata(await image().webp().bytes(), 30, 20)],
    ["image/gif", gifWithMetadata(movingGif())],
    ["image/heic", heifWithMetadata("heic", Buffer.from("pixels"))],
  ];
});

test("broken files of every format are safe", async () => {
  const brokenFile = fc.tuple(
    fc.nat({ max: 4 }),
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: 255 }))),
    fc.double({ min: 0, max: 1, noNaN: true }),
  );
  await fc.assert(
    fc.asyncProperty(brokenFile, async ([nth, changes, end]) => {
      const [type, plainBytes] = files[nth]!;
      const bytes = plainBytes.slice(0, Math.ceil(plainBytes.length * end));
      for (const [index, byte] of changes) bytes[Math.floor(index * bytes.length)] = byte;
      const stripped = await withoutMetadata(bytes, type);
      expect(stripped.length).toBeLessThanOrEqual(bytes.length + ADDED_BYTES_MAX);
    }),
    { numRuns: TRIES },
  );
});

test("keeps a file of too many parts unchanged", async () => {
  const fill = new Uint8Array(2_000_000).fill(0xff);
  fill.set([0xff, 0xd8]);
  expect(await withoutMetadata(fill, "image/jpeg")).toEqual(fill);
  const segments = Buffer.alloc(2_000_000, Buffer.from([0xff, 0xe5, 0, 2]));
  const jpeg = new Uint8Array(Buffer.concat([Buffer.from([0xff, 0xd8]), segments]));
  expect(await withoutMetadata(jpeg, "image/jpeg")).toEqual(jpeg);
});
