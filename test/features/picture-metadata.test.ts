// Metadata is removed from uploaded pictures, unless the organization keeps it.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { avif } from "../pictures/avif-encoder.ts";
import {
  SECRET,
  gifWithMetadata,
  heifWithMetadata,
  jpegWithMetadata,
  pngWithMetadata,
  webpWithMetadata,
  ROTATED_ORIENTATION,
} from "../pictures/images-with-metadata.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { movingGif, post, read, striped, type TestFile, upload } from "./upload-fixture.ts";

type Bytes = Uint8Array<ArrayBuffer>;

let testServer: TestServer;
beforeAll(async () => {
  testServer = await startTestServer();
});
afterAll(() => testServer.close());

const png = striped(120, 80);
const jpeg = async () => new Uint8Array(await new Bun.Image(png).jpeg().bytes());
const webp = async () => new Uint8Array(await new Bun.Image(png).webp().bytes());
const pixelsOf = (bytes: Bytes) => new Bun.Image(bytes).png().bytes();
const containsSecret = (bytes: Uint8Array) => Buffer.from(bytes).includes(SECRET);

async function uploadAndRead(file: TestFile): Promise<Bytes> {
  const url = await upload(testServer, "bo", file);
  return new Uint8Array(await (await read(testServer, "bo", url)).arrayBuffer());
}

const FILES_WITH_METADATA: Record<string, () => Promise<[told: Bytes, plain: Bytes]>> = {
  "image/jpeg": async () => [jpegWithMetadata(await jpeg()), await jpeg()],
  "image/png": async () => [pngWithMetadata(png), png],
  "image/webp": async () => [webpWithMetadata(await webp(), 120, 80), await webp()],
  "image/gif": async () => [gifWithMetadata(movingGif()), movingGif()],
};

test.each(Object.keys(FILES_WITH_METADATA))(
  "removes the location from %s, and keeps the pixels",
  async (type) => {
    const [received, plain] = await FILES_WITH_METADATA[type]!();
    expect(containsSecret(received)).toBe(true);
    const storedBytes = await uploadAndRead({ name: "x", bytes: received, type });
    expect(containsSecret(storedBytes)).toBe(false);
    expect(await pixelsOf(storedBytes)).toEqual(await pixelsOf(received));
    // Only the orientation tag was added.
    expect(storedBytes.length).toBeLessThan(plain.length + 120);
    const repeated = await uploadAndRead({ name: "x", bytes: storedBytes, type });
    expect(repeated).toEqual(storedBytes);
    expect(await uploadAndRead({ name: "x", bytes: plain, type })).toEqual(plain);
  },
);

test("keeps the orientation if it is not the default", async () => {
  for (const [type, mark] of [
    ["image/jpeg", "Exif\0\0"],
    ["image/png", "eXIf"],
    ["image/webp", "EXIF"],
  ]) {
    const [received] = await FILES_WITH_METADATA[type!]!();
    const storedBytes = Buffer.from(
      await uploadAndRead({ name: "x", bytes: received, type: type! }),
    );
    const index = storedBytes.indexOf(mark!);
    expect(index).toBeGreaterThan(0);
    const tiff = storedBytes.subarray(storedBytes.indexOf("II*\0", index));
    expect([tiff.readUInt16LE(8), tiff.readUInt16LE(10), tiff.readUInt16LE(18)]).toEqual([
      1,
      0x0112,
      ROTATED_ORIENTATION,
    ]);
  }
  const upright = Buffer.from(
    await uploadAndRead({
      name: "x",
      bytes: jpegWithMetadata(await jpeg(), 1),
      type: "image/jpeg",
    }),
  );
  expect(upright.includes("Exif")).toBe(false);
  // Color profiles are kept.
  expect(upright.includes("ICC_PROFILE\0")).toBe(true);
});

test.each(["heic", "avif"] as const)(
  "%s is removed where it reveals something, and pixels are unchanged",
  async (brand) => {
    const pixels = Buffer.from("pixels that stay where they are");
    const received = heifWithMetadata(brand, pixels);
    const storedBytes = Buffer.from(
      await uploadAndRead({ name: `x.${brand}`, bytes: received, type: `image/${brand}` }),
    );
    expect([containsSecret(received), containsSecret(storedBytes), storedBytes.length]).toEqual([
      true,
      false,
      received.length,
    ]);
    expect(storedBytes.indexOf(pixels)).toBe(Buffer.from(received).indexOf(pixels));
    expect(storedBytes.indexOf("mdat")).toBe(Buffer.from(received).indexOf("mdat"));
  },
);

test("shows an AVIF with metadata the same without it", async () => {
  const plain = await avif(40, 30);
  const uuid = Buffer.concat([
    Buffer.from([0, 0, 0, 24 + SECRET.length]),
    Buffer.from("uuid"),
    Buffer.alloc(16),
    Buffer.from(SECRET),
  ]);
  const received = new Uint8Array(Buffer.concat([plain, uuid]));
  const storedBytes = await uploadAndRead({ name: "x.avif", bytes: received, type: "image/avif" });
  expect(storedBytes.length).toBe(received.length);
  expect(containsSecret(storedBytes)).toBe(false);
  expect(storedBytes.subarray(0, plain.length)).toEqual(plain);
});

test("removes metadata whatever the file name, and from derived images", async () => {
  const bytes = jpegWithMetadata(await jpeg());
  for (const type of ["", "text/plain", "application/octet-stream"]) {
    expect(containsSecret(await uploadAndRead({ name: "x.dat", bytes, type }))).toBe(false);
  }
  const url = await upload(testServer, "bo", { name: "x.jpg", bytes, type: "image/jpeg" });
  const { size } = testServer.realm.read.attachments.findBy(
    "path",
    url.replace("/user_uploads/", ""),
  )!;
  const fullPicture = await (await read(testServer, "bo", url)).bytes();
  expect(size).toBe(fullPicture.length);
  const thumbnailUrl = `${url.replace("/user_uploads/", "/user_uploads/thumbnail/")}/840x560.webp`;
  expect(containsSecret(await (await read(testServer, "bo", thumbnailUrl)).bytes())).toBe(false);
  const { avatar_url } = await post(testServer, "bo", "POST /users/me/avatar", [
    { name: "x", bytes },
  ]);
  expect(containsSecret(await (await read(testServer, "bo", avatar_url)).bytes())).toBe(false);
  const moving = { name: "x.gif", bytes: gifWithMetadata(movingGif()) };
  await post(testServer, "olga", "POST /realm/emoji/turning", [moving]);
  const { emoji } = await testServer.request("bo", "GET /realm/emoji");
  const { source_url } = Object.values(emoji as Record<string, { source_url: string }>)[0]!;
  expect(containsSecret(await (await read(testServer, "bo", source_url)).bytes())).toBe(false);
  expect(readdirSync(join(testServer.directory, "data/uploads/drafts"))).toEqual([]);
});

test("removes metadata from uploads in parts too", async () => {
  const bytes = pngWithMetadata(png);
  const headers = { Authorization: testServer.basicAuthorization("bo"), "Tus-Resumable": "1.0.0" };
  const startedUpload = await fetch(`${testServer.url}/api/v1/tus/`, {
    method: "POST",
    headers: {
      ...headers,
      "Upload-Length": String(bytes.length),
      "Upload-Metadata": `filename ${btoa("x.png")}`,
    },
  });
  const at = {
    ...headers,
    "Upload-Offset": "0",
    "Content-Type": "application/offset+octet-stream",
  };
  const doneResponse = await fetch(startedUpload.headers.get("location")!, {
    method: "PATCH",
    headers: at,
    body: bytes,
  });
  const { url } = (await doneResponse.json()) as { url: string };
  expect(containsSecret(await (await read(testServer, "bo", url)).bytes())).toBe(false);
});

test("keeps broken files and other formats unchanged", async () => {
  const completePng = pngWithMetadata(png);
  const truncated = new Uint8Array(completePng.subarray(0, completePng.length - 60));
  expect(await uploadAndRead({ name: "x.png", bytes: truncated, type: "image/png" })).toEqual(
    truncated,
  );
  const words = new Uint8Array(Buffer.from(`JFIF Exif ${SECRET}`));
  expect(await uploadAndRead({ name: "x.txt", bytes: words, type: "text/plain" })).toEqual(words);
});

test("lets an organization keep metadata", async () => {
  const listener = await testServer.listen("cy");
  expect(listener.registered.realm_keep_picture_metadata).toBe(false);
  await testServer.request("ada", "PATCH /realm", { keep_picture_metadata: true });
  expect(await listener.next()).toMatchObject({ property: "keep_picture_metadata", value: true });
  const bytes = jpegWithMetadata(await jpeg());
  expect(await uploadAndRead({ name: "x.jpg", bytes, type: "image/jpeg" })).toEqual(bytes);
  await testServer.request("ada", "PATCH /realm", { keep_picture_metadata: false });
});
