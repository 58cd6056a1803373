// AVIF and TIFF images are displayed in messages, and accepted as avatars and emoji.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import * as realmErrors from "../../src/contract/errors/realm.ts";
import { avif } from "../pictures/avif-encoder.ts";
import { tiff } from "../pictures/tiff-writer.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { post, read, type TestFile, upload } from "./upload-fixture.ts";

const stripes = (x: number, _y: number, i: number) => (x < 500 ? [200, 30, 30] : [30, 30, 200])[i]!;
const scanned = { width: 1000, height: 700, samples: 3, photometric: 2 };
const scan: TestFile = { name: "s.tif", bytes: tiff(scanned, stripes), type: "image/tiff" };

let testServer: TestServer;
let photo: TestFile;
beforeEach(async () => {
  testServer = await startTestServer();
  photo = { name: "p.avif", bytes: await avif(1000, 700), type: "image/avif" };
});
afterEach(() => testServer.close());

const thumbnailOf = (url: string, format = "840x560.webp") =>
  `${url.replace("/user_uploads/", "/user_uploads/thumbnail/")}/${format}`;
const renderContent = async (content: string) =>
  (await testServer.request("bo", "POST /messages/render", { content })).rendered;

async function sizeOf(path: string) {
  const response = await read(testServer, "bo", path);
  expect(response.headers.get("content-type")).toBe("image/webp");
  const { width, height, format } = await new Bun.Image(await response.bytes()).metadata();
  return [format, width, height];
}

test("shows an AVIF in place, with its size and a thumbnail", async () => {
  const url = await upload(testServer, "bo", photo);
  const html = await renderContent(`[p](${url})`);
  expect(html).toContain('data-original-content-type="image/avif"');
  expect(html).toContain('data-original-dimensions="1000x700"');
  expect(html).not.toContain("data-transcoded-image");
  expect(html).toContain(`src="${thumbnailOf(url)}"`);
  expect(await sizeOf(thumbnailOf(url))).toEqual(["webp", 800, 560]);
  const { headers } = await read(testServer, "bo", url);
  expect(headers.get("content-type")).toBe("image/avif");
  expect(headers.get("content-disposition")).toStartWith("inline");
});

test("shows a thumbnail of a TIFF, and the whole in a format that browsers support", async () => {
  const url = await upload(testServer, "bo", scan);
  const html = await renderContent(`[s](${url})`);
  expect(html).toContain('data-transcoded-image="1000x700.webp"');
  expect(await sizeOf(thumbnailOf(url))).toEqual(["webp", 800, 560]);
  expect(await sizeOf(thumbnailOf(url, "1000x700.webp"))).toEqual(["webp", 1000, 700]);
  const { headers } = await read(testServer, "bo", url);
  expect(headers.get("content-disposition")).toStartWith("attachment");
  for (const kind of ["thumbnails", "transcoded"]) {
    rmSync(join(testServer.directory, "data/uploads", kind), { recursive: true });
  }
  expect(await sizeOf(thumbnailOf(url))).toEqual(["webp", 800, 560]);
  expect(await sizeOf(thumbnailOf(url, "1000x700.webp"))).toEqual(["webp", 1000, 700]);
});

test("treats a broken or too large image as a plain file", async () => {
  const bomb = tiff({ ...scanned, fields: { 256: [60_000], 257: [60_000] } }, stripes);
  const truncated = (photo.bytes as Uint8Array<ArrayBuffer>).slice(0, 300);
  for (const file of [
    { ...scan, bytes: bomb },
    { ...photo, bytes: truncated },
  ]) {
    const url = await upload(testServer, "bo", file);
    expect(await renderContent(`[p](${url})`)).toBe(`<p><a href="${url}">p</a></p>`);
    expect((await read(testServer, "bo", thumbnailOf(url))).status).toBe(404);
    expect((await read(testServer, "bo", url)).status).toBe(200);
    const { status, errCode: code } = realmErrors.badImage();
    const refusal = await post(testServer, "bo", "POST /users/me/avatar", [file]);
    expect(refusal).toMatchObject({ status, code });
  }
});

/** A separate worker decodes each of them, so they are small. */
async function isUsed(name: string, file: TestFile) {
  const { avatar_url } = await post(testServer, "bo", "POST /users/me/avatar", [file]);
  expect(await sizeOf(avatar_url)).toEqual(["webp", 100, 100]);
  const { icon_url } = await post(testServer, "ada", "POST /realm/icon", [file]);
  expect((await sizeOf(icon_url))[1]).toBe(200);
  const night = { night: "false" };
  expect((await post(testServer, "ada", "POST /realm/logo", [file], night)).status).toBe(200);
  expect((await post(testServer, "ada", `POST /realm/emoji/${name}`, [file])).status).toBe(200);
  const { emoji } = await testServer.request("bo", "GET /realm/emoji");
  const all = Object.values(emoji) as { name: string; source_url: string }[];
  const { source_url } = all.find((item) => item.name === name)!;
  expect(await sizeOf(source_url)).toEqual(["webp", 64, 64]);
}

test("accepts AVIF for avatars, the icon, the logo and emoji", async () => {
  await isUsed("photo", { ...photo, bytes: await avif(120, 80) });
});

test("accepts TIFF for avatars, the icon, the logo and emoji", async () => {
  await isUsed("scan", { ...scan, bytes: tiff({ ...scanned, width: 120, height: 80 }, stripes) });
});
