// AVIF decoding in a worker: valid images, false claims, and oversized images.
import { beforeAll, expect, test } from "bun:test";
import { decoded } from "../../src/pictures/decode.ts";
import { NotDecodable, TooManyPixels } from "../../src/pictures/formats.ts";
import { avif } from "./avif-encoder.ts";
import { tiff } from "./tiff-writer.ts";

const most = { width: 400, height: 400 };
const type = "image/avif";
const returnError = (error: unknown) => error;
let bytes: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  bytes = await avif(600, 300);
});

/** Returns a copy whose image size property (`ispe`) claims another size. */
function withDeclaredSize(width: number, height: number) {
  const copy = Buffer.from(bytes);
  const index = copy.indexOf("ispe");
  copy.writeUInt32BE(width, index + 8);
  copy.writeUInt32BE(height, index + 12);
  return new Uint8Array(copy);
}

test("decodes a picture, and scales it while decoding", async () => {
  const { width, height, bytes: png } = await decoded(bytes, type, most);
  expect([width, height]).toEqual([600, 300]);
  expect(await new Bun.Image(png).metadata()).toMatchObject({ width: 400, height: 200 });
});

test("rejects a too large picture by its header, before decoding", async () => {
  const failure = await decoded(withDeclaredSize(60_000, 60_000), type, most).catch(returnError);
  expect(failure).toBeInstanceOf(TooManyPixels);
  const scan = tiff({ width: 2, height: 2, fields: { 256: [9_000], 257: [9_000] } }, () => 0);
  expect(await decoded(scan, "image/tiff", most).catch(returnError)).toBeInstanceOf(NotDecodable);
});

test("rejects truncated and empty files, and those with wrong sizes", async () => {
  const broken = [
    bytes.subarray(0, bytes.length >> 1),
    bytes.subarray(0, 40),
    new Uint8Array(),
    withDeclaredSize(0, 10),
  ];
  for (const item of broken) {
    expect(await decoded(item, type, most).catch(returnError)).toBeInstanceOf(NotDecodable);
  }
  const small = await decoded(withDeclaredSize(10, 10), type, most).catch(() => undefined);
  expect(small === undefined || small.width === 600 || small.width === 10).toBe(true);
});
