// Uploaded images of every kind: animated WebP and AVIF, rotated PNG and WebP, empty files.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { assembledWebp } from "../../src/pictures/webp.ts";
import { pngPixels } from "../../src/pictures/png-pixels.ts";
import { avif } from "../pictures/avif-encoder.ts";
import { pngWithMetadata, webpWithMetadata } from "../pictures/images-with-metadata.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { post, read, striped, type TestFile, upload } from "./upload-fixture.ts";

type Bytes = Uint8Array<ArrayBuffer>;

let testServer: TestServer;
beforeAll(async () => {
  testServer = await startTestServer();
});
afterAll(() => testServer.close());

const UPLOADS = {
  avatar: ["bo", "POST /users/me/avatar"],
  icon: ["olga", "POST /realm/icon"],
  logo: ["olga", "POST /realm/logo"],
  emoji: ["bo", "POST /realm/emoji/"],
} as const;

let count = 0;

function uploadAs(kind: keyof typeof UPLOADS, file: TestFile): Promise<Json> {
  const [name, path] = UPLOADS[kind];
  const line = kind === "emoji" ? `${path}kind_${count++}` : path;
  return post(testServer, name, line, [file], kind === "logo" ? { night: "false" } : {});
}

const renderPicture = async (url: string): Promise<string> =>
  (await testServer.request("bo", "POST /messages/render", { content: `[p](${url})` })).rendered;

const thumbnail = (url: string, format: string) =>
  read(testServer, "bo", `${url.replace("/user_uploads/", "/user_uploads/thumbnail/")}/${format}`);

async function movingWebp(): Promise<Bytes> {
  const still = await new Bun.Image(striped(120, 80)).webp({ lossless: true }).bytes();
  const frames = [1, 2].map(() => ({ still, delay_ms: 100 }));
  return assembledWebp({ width: 120, height: 80 }, 0, frames);
}

/** A still image whose brand and box claim that the file contains a sequence. */
async function movingAvif(): Promise<Bytes> {
  const movie = Buffer.from([0, 0, 0, 8, ...Buffer.from("moov")]);
  const bytes = Buffer.concat([await avif(120, 80), movie]);
  bytes.write("avis", 24, "latin1");
  return new Uint8Array(bytes);
}

const MOVING = {
  "image/webp": movingWebp,
  "image/avif": movingAvif,
};

test.each(Object.keys(MOVING) as (keyof typeof MOVING)[])(
  "shows a preview of animated %s, and the animation",
  async (type) => {
    const bytes = await MOVING[type]();
    const url = await upload(testServer, "bo", { name: "moving", bytes, type });
    const html = await renderPicture(url);
    expect(html).toContain('data-animated="true"');
    expect(html).toContain('data-original-dimensions="120x80"');
    const still = await (await thumbnail(url, "840x560.webp")).bytes();
    expect(await new Bun.Image(still).metadata()).toMatchObject({ width: 120, height: 80 });
    const animatedThumbnail = await thumbnail(url, "840x560-anim.webp");
    expect(await animatedThumbnail.bytes()).toEqual(bytes);
    expect(animatedThumbnail.headers.get("content-type")).toBe(type);
  },
);

test.each(Object.keys(UPLOADS) as (keyof typeof UPLOADS)[])(
  "takes animated WebP as %s",
  async (kind) => {
    const bytes = await movingWebp();
    const response = await uploadAs(kind, { name: "moving.webp", bytes, type: "image/webp" });
    expect(response.status).toBe(200);
    if (kind !== "emoji") return;
    const { emoji } = await testServer.request("bo", "GET /realm/emoji");
    const { source_url, still_url } = Object.values(emoji as Json).at(-1) as Json;
    expect(await (await read(testServer, null, source_url)).bytes()).toEqual(bytes);
    expect(still_url).toBeString();
  },
);

/** The side of a 100×60 image that is blue after rotation; in the file it is the left. */
const BLUE_SIDES = [
  ["left", "right", "right", "left"],
  ["top", "top", "bottom", "bottom"],
].flat();

test.each([1, 2, 3, 4, 5, 6, 7, 8])("turns PNG by its orientation %d", async (orientation) => {
  const bytes = pngWithMetadata(striped(100, 60), orientation);
  const url = await upload(testServer, "bo", { name: "x.png", bytes, type: "image/png" });
  const [width, height] = orientation < 5 ? [100, 60] : [60, 100];
  expect(await renderPicture(url)).toContain(`data-original-dimensions="${width}x${height}"`);
  const thumbnailBytes = await (await thumbnail(url, "840x560.webp")).bytes();
  expect(await blueSideOf(thumbnailBytes, width, height)).toBe(BLUE_SIDES[orientation - 1]!);
});

test("turns WebP by its orientation, also as an avatar", async () => {
  const webp = new Uint8Array(await new Bun.Image(striped(100, 60)).webp().bytes());
  const bytes = webpWithMetadata(webp, 100, 60);
  const url = await upload(testServer, "bo", { name: "x.webp", bytes, type: "image/webp" });
  const thumbnailBytes = await (await thumbnail(url, "840x560.webp")).bytes();
  expect(await blueSideOf(thumbnailBytes, 60, 100)).toBe("top");
  const { avatar_url } = await uploadAs("avatar", { name: "x.webp", bytes, type: "image/webp" });
  expect(await blueSideOf(await (await read(testServer, null, avatar_url)).bytes(), 100, 100)).toBe(
    "top",
  );
});

async function blueSideOf(picture: Uint8Array, width: number, height: number): Promise<string> {
  const png = await new Bun.Image(picture as Bytes).png({ compressionLevel: 1 }).bytes();
  const pixels = pngPixels(png, width, height)!;
  const isBlue = (x: number, y: number) => pixels[(y * width + x) * 4]! < 120;
  const [right, bottom] = [width - 3, height - 3];
  if (isBlue(2, 2) && isBlue(2, bottom)) return "left";
  if (isBlue(right, 2) && isBlue(right, bottom)) return "right";
  return isBlue(2, 2) ? "top" : "bottom";
}

test.each(Object.keys(UPLOADS) as (keyof typeof UPLOADS)[])(
  "refuses an empty file as %s",
  async (kind) => {
    const empty = { name: "x.png", bytes: new Uint8Array(), type: "image/png" };
    const response = await uploadAs(kind, empty);
    expect(response).toMatchObject({ status: 400, code: "BAD_IMAGE" });
  },
);

test("takes an empty file with a picture's name as a file without a preview", async () => {
  const empty = { name: "x.png", bytes: new Uint8Array(), type: "image/png" };
  const url = await upload(testServer, "bo", empty);
  expect(await renderPicture(url)).not.toContain("message_inline_image");
});
