// Images in messages: dimensions in the HTML, thumbnails, and files that are no images.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as realmErrors from "../../src/contract/errors/realm.ts";
import { animatedWebp } from "../../src/pictures/webp.ts";
import type { Name } from "../users.ts";
import { gif, type GifFrame } from "../pictures/gif-writer.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import {
  bomb,
  brokenPng,
  discarded,
  movingGif,
  movingPng,
  read,
  striped,
  type TestFile,
  upload,
} from "./upload-fixture.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const picture: TestFile = { name: "p.png", bytes: striped(1200, 900), type: "image/png" };
const thumbnailOf = (url: string, format = "840x560.webp") =>
  `${url.replace("/user_uploads/", "/user_uploads/thumbnail/")}/${format}`;

async function renderContent(content: string): Promise<string> {
  return (await testServer.request("bo", "POST /messages/render", { content })).rendered;
}

async function sizeOf(response: Response) {
  const { width, height, format } = await new Bun.Image(await response.bytes()).metadata();
  return [format, width, height];
}

test("GET //user_uploads/thumbnail/${path} returns a thumbnail", async () => {
  const url = await upload(testServer, "bo", picture);
  const thumbnail = await read(testServer, "bo", thumbnailOf(url));
  expect(thumbnail.headers.get("content-type")).toBe("image/webp");
  expect(await sizeOf(thumbnail)).toEqual(["webp", 747, 560]);
  const other = await read(testServer, "bo", thumbnailOf(url, "100x75.jpg"));
  expect(await sizeOf(other)).toEqual(["webp", 747, 560]);
  expect((await read(testServer, "cy", thumbnailOf(url))).status).toBe(403);
  expect((await read(testServer, "bo", thumbnailOf(`${url}x`))).status).toBe(404);
  const tiny = await upload(testServer, "bo", { ...picture, bytes: striped(3, 2) });
  expect(await sizeOf(await read(testServer, "bo", thumbnailOf(tiny)))).toEqual(["webp", 3, 2]);
});

test("creates a lost thumbnail again", async () => {
  const url = await upload(testServer, "bo", picture);
  const folder = join(testServer.directory, "data/uploads/thumbnails");
  rmSync(folder, { recursive: true });
  const responses = await Promise.all(
    [1, 2, 3].map(async () => sizeOf(await read(testServer, "bo", thumbnailOf(url)))),
  );
  expect(responses).toEqual(Array(3).fill(["webp", 747, 560]));
  expect(readdirSync(folder)).toHaveLength(1);
});

test("shows images that the author can read, with their sizes", async () => {
  const url = await upload(testServer, "bo", picture);
  const data = 'data-original-content-type="image/png" data-original-dimensions="1200x900"';
  const img = `<img ${data} src="${thumbnailOf(url)}">`;
  expect(await renderContent(`[p](${url})`)).toContain(
    `<div class="message_inline_image"><a href="${url}" title="p">${img}</a></div>`,
  );
  expect(await renderContent(`![p](${url})`)).toContain('class="inline-image"');
  const { id } = await testServer.request("cy", "POST /messages", {
    type: "direct",
    to: [testServer.idOf("mo")],
    content: `[p](${url})`,
  });
  const { message } = await testServer.request("mo", `GET /messages/${id}`);
  expect(message.content).toBe(`<p><a href="${url}">p</a></p>`);
});

test("shows an animation unchanged, with its first frame as a thumbnail", async () => {
  const moving = [
    { name: "a.gif", bytes: movingGif(), type: "image/gif" },
    { name: "a.png", bytes: movingPng(), type: "image/png" },
  ];
  for (const file of moving) {
    const url = await upload(testServer, "bo", file);
    const html = await renderContent(`[p](${url})`);
    expect(html).toContain('data-animated="true"');
    expect(html).toContain(thumbnailOf(url, "840x560-anim.webp"));
    const response = await read(testServer, "bo", thumbnailOf(url, "840x560-anim.webp"));
    expect(await response.bytes()).toEqual(file.bytes);
    expect((await sizeOf(await read(testServer, "bo", thumbnailOf(url))))[0]).toBe("webp");
  }
  const truncatedGif = movingGif().slice(0, 42);
  const url = await upload(testServer, "bo", {
    name: "b.gif",
    bytes: truncatedGif,
    type: "image/gif",
  });
  expect(await renderContent(`[p](${url})`)).not.toContain("data-animated");
});

test("treats a broken or too large image as a plain file", async () => {
  for (const bytes of [bomb(), brokenPng(), "no picture"] as const) {
    const url = await upload(testServer, "bo", { name: "p.png", bytes, type: "image/png" });
    expect(await renderContent(`[p](${url})`)).toBe(`<p><a href="${url}">p</a></p>`);
    expect((await read(testServer, "bo", thumbnailOf(url))).status).toBe(404);
    expect((await read(testServer, "bo", url)).status).toBe(200);
  }
});

test("plays audio and video in place", async () => {
  const sound = await upload(testServer, "bo", { name: "a.mp3", bytes: "la", type: "audio/mpeg" });
  expect(await renderContent(`![song](${sound})`)).toContain(`<audio controls preload="metadata"`);
  const video = await upload(testServer, "bo", { name: "a.mp4", bytes: "film", type: "video/mp4" });
  expect(await renderContent(`[film](${video})`)).toContain(
    `<video preload="metadata" src="${video}">`,
  );
});

test("lists the available thumbnail formats to clients", async () => {
  const { server_thumbnail_formats } = await testServer.request("bo", "POST /register");
  expect(server_thumbnail_formats).toEqual([
    { name: "840x560-anim.webp", max_width: 840, max_height: 560, format: "webp", animated: true },
    { name: "840x560.webp", max_width: 840, max_height: 560, format: "webp", animated: false },
  ]);
});

test("GET /thumbnail/status/${realm_id}/${path} returns whether there is a thumbnail", async () => {
  const statusRoute = (url: string) => `GET ${url.replace("/user_uploads/", "/thumbnail/status/")}`;
  const url = await upload(testServer, "bo", picture);
  const note = await upload(testServer, "bo", { name: "n.txt", bytes: "note" });
  expect(await testServer.request("bo", statusRoute(url))).toMatchObject({ has_thumbnail: true });
  expect(await testServer.request("bo", statusRoute(note))).toMatchObject({ has_thumbnail: false });
  const { status: code, message: msg } = realmErrors.fileNotFound();
  expect(await testServer.refused("cy", statusRoute(url))).toMatchObject({ status: code, msg });
  expect(await testServer.refused("bo", statusRoute(`${url}x`))).toMatchObject({
    status: code,
    msg,
  });
});

test("GET //thumbnail returns the whole file to users who can read it", async () => {
  const url = await upload(testServer, "bo", picture);
  const oldThumbnailUrl = (of: string) => `/thumbnail?url=${encodeURIComponent(of)}&size=thumbnail`;
  const response = await read(testServer, "bo", oldThumbnailUrl(url.slice(1)));
  expect(await response.bytes()).toEqual(picture.bytes as Uint8Array<ArrayBuffer>);
  expect((await read(testServer, "cy", oldThumbnailUrl(url.slice(1)))).status).toBe(403);
  expect((await read(testServer, "bo", oldThumbnailUrl(`${url}x`))).status).toBe(404);
  expect((await read(testServer, "bo", oldThumbnailUrl("https://example.com/p.png"))).status).toBe(
    403,
  );
});

test("finds messages with images and links by their current content", async () => {
  const url = await upload(testServer, "bo", picture);
  const note = await upload(testServer, "bo", { name: "n.txt", bytes: "note" });
  const post = async (content: string) =>
    (
      await testServer.request("bo", "POST /messages", {
        type: "direct",
        to: [testServer.idOf("cy")],
        content,
      })
    ).id;
  const [shown, linked, plain] = [
    await post(`[p](${url})`),
    await post(`[n](${note})`),
    await post("p"),
  ];
  const countWith = async (operand: string) => {
    const own = { operator: "sender", operand: testServer.idOf("bo") };
    const narrow = [{ operator: "has", operand }, own];
    const window = { anchor: "newest", num_before: 9, num_after: 0 };
    const { messages } = await testServer.request("cy", "GET /messages", { ...window, narrow });
    return messages.map(({ id }: { id: number }) => id);
  };
  expect(await countWith("attachment")).toEqual([shown, linked]);
  expect(await countWith("link")).toEqual([shown, linked]);
  expect(await countWith("image")).toEqual([shown]);
  await testServer.request("bo", `PATCH /messages/${shown}`, { content: "gone" });
  await testServer.request("bo", `PATCH /messages/${plain}`, { content: `![p](${url})` });
  expect(await countWith("image")).toEqual([plain]);
  expect(await countWith("attachment")).toEqual([linked, plain]);
});

test("scales a large animation on request, and keeps it animated", async () => {
  const table = Array.from({ length: 768 }, (_, index) => (index * 37) & 255);
  const noise = (seed: number) => (x: number, y: number) => (x * 7 + y * 13 + x * y * seed) & 255;
  const frames = [1, 3].map((seed) => ({ width: 200, height: 700, pixelAt: noise(seed) }));
  const animatedGif = { name: "d.gif", bytes: gif(200, 700, table, frames, 0), type: "image/gif" };
  const url = await upload(testServer, "bo", animatedGif);
  const folder = join(testServer.directory, "data/uploads/moving", url.split("/")[3]!);
  const readStored = () => (existsSync(folder) ? readdirSync(folder) : []);
  // The folder may already contain another file.
  const others = readStored();
  const animatedThumbnail = async () => {
    const response = await read(testServer, "bo", thumbnailOf(url, "840x560-anim.webp"));
    expect(response.headers.get("content-type")).toBe("image/webp");
    const { width, height, loops, frames: all } = animatedWebp(await response.bytes());
    return [width, height, loops, (await Array.fromAsync(all())).length];
  };
  expect(await Promise.all([animatedThumbnail(), animatedThumbnail()])).toEqual([
    [160, 560, 0, 2],
    [160, 560, 0, 2],
  ]);
  expect(readStored()).toHaveLength(others.length + 1);
  expect((await read(testServer, "cy", thumbnailOf(url, "840x560-anim.webp"))).status).toBe(403);
  const { attachments } = await testServer.request("bo", "GET /attachments");
  await testServer.request("bo", `DELETE /attachments/${attachments.at(-1).id}`);
  await discarded(testServer);
  expect(readStored()).toEqual(others);
});

const ANIMATED = "840x560-anim.webp";
const colors = Array.from({ length: 768 }, (_, index) => (index * 37) & 255);
const dot = { width: 1, height: 1, pixelAt: () => 1 };
const largeGif = (frames: GifFrame[], name = "vast.gif") => ({
  ...{ name, type: "image/gif" },
  bytes: gif(1000, 1000, colors, frames, 0),
});

async function expectStill(url: string, cache: string) {
  const truncatedGif = await (
    await read(testServer, "bo", thumbnailOf(url, "840x560.webp"))
  ).bytes();
  const response = await read(testServer, "bo", thumbnailOf(url, ANIMATED));
  expect(response.headers.get("content-type")).toBe("image/webp");
  expect(response.headers.get("cache-control")).toContain(cache);
  expect(Buffer.from(await response.bytes()).equals(Buffer.from(truncatedGif))).toBe(true);
}

test.each([
  ["GIF", largeGif(Array.from({ length: 65 }, () => dot))],
  ["GIF of 10,000 frames", largeGif(Array.from({ length: 10_000 }, () => dot))],
  ["PNG", { name: "vast.png", type: "image/png", bytes: movingPng(4_000_001) }],
])("shows the first frame of a moving %s that has too many pixels", async (_, file) => {
  await expectStill(await upload(testServer, "bo", file), "immutable");
});

test("shows the first frame while the uploader's pixels of a minute are used up", async () => {
  // The second frame is outside of the image, so its pixels count but take no time to decode.
  const outside = { ...dot, left: 1000 };
  const damaged = Array.from({ length: 63 }, (_, index) => (index === 0 ? dot : outside));
  for (let index = 0; index < 2; index++) {
    const response = await read(
      testServer,
      "bo",
      thumbnailOf(await upload(testServer, "bo", largeGif(damaged)), ANIMATED),
    );
    expect(response.headers.get("content-type")).toBe("image/gif");
  }
  const pixelAt = (x: number, y: number) => (x * 7 + y * 13 + x * y) & 255;
  const frames = Array.from({ length: 16 }, () => ({ width: 200, height: 700, pixelAt }));
  const animatedGif = { name: "d.gif", bytes: gif(200, 700, colors, frames, 0), type: "image/gif" };
  const url = await upload(testServer, "bo", animatedGif);
  await expectStill(url, "max-age=60");
  // Meanwhile, another user's images are processed.
  const others = await upload(testServer, "cy", animatedGif);
  const animationFrames = async (name: Name, address: string) => {
    const response = await read(testServer, name, thumbnailOf(address, ANIMATED));
    return Array.fromAsync(animatedWebp(await response.bytes()).frames());
  };
  expect(await animationFrames("cy", others)).toHaveLength(16);
  testServer.clock.passSeconds(61);
  expect(await animationFrames("bo", url)).toHaveLength(16);
});
