// Files in a bucket support all operations of files in a directory, and leave none on disk.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { purgeFiles } from "../../src/features/files/purge.ts";
import { openBucket, type TestBucket } from "../s3-server.ts";
import { noise } from "../random.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { discarded, movingGif, post, read, striped, upload } from "./upload-fixture.ts";

const MIB = 2 ** 20;
const DAY = 86_400;

let bucket: TestBucket;
let testServer: TestServer;
beforeEach(async () => {
  bucket = await openBucket();
  testServer = await startTestServer({ bucket: bucket.config });
});
afterEach(async () => {
  await testServer.close();
  await bucket.close();
});

const uuid = () => testServer.realm.read.realm.get(1)!.realm_uuid;
const keyOf = (url: string) => url.split("/").slice(3, 5).join("/");
const drafts = () => readdirSync(join(testServer.directory, "data/uploads/drafts"));
const thumbnail = (url: string) => `${url.replace("uploads/", "uploads/thumbnail/")}/840x560.webp`;
const picture = { name: "p.png", bytes: striped(1200, 900), type: "image/png" };

test("stores a file in the bucket in parts, and reads it in whole and in part", async () => {
  const bytes = noise(19 * MIB + 7);
  for (let offset = 65_536; offset < bytes.length; offset += 65_536)
    bytes[offset] = offset / 65_536;
  const { result, events } = await staysInSync(testServer, ["bo", "cy"], () =>
    post(testServer, "bo", "POST /user_uploads", [{ name: "large.bin", bytes }]),
  );
  expect(events.bo).toMatchObject([{ type: "attachment", op: "add" }]);
  expect(await bucket.keys()).toContain(`${uuid()}/files/${keyOf(result.url)}`);
  expect(drafts()).toEqual([]);
  expect(readdirSync(join(testServer.directory, "data/uploads"))).toEqual(["drafts"]);
  await testServer.restart();
  expect(await (await read(testServer, "bo", result.url)).bytes()).toEqual(bytes);
  const expectPart = async (from: number, to: number) => {
    const response = await read(testServer, "bo", result.url, { Range: `bytes=${from}-${to - 1}` });
    expect(response.headers.get("content-range")).toBe(`bytes ${from}-${to - 1}/${bytes.length}`);
    expect(await response.bytes()).toEqual(bytes.subarray(from, to));
    return [response.status, response.headers.get("content-length")];
  };
  expect(await expectPart(5, 100)).toEqual([206, "95"]);
  expect((await expectPart(7 * MIB, 16 * MIB))[0]).toBe(206);
  const head = await read(testServer, "bo", result.url, {}, "HEAD");
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes.length)]);
  const none = await read(testServer, "bo", result.url, { Range: `bytes=${bytes.length}-` });
  expect(none.status).toBe(416);
  expect((await read(testServer, "cy", result.url)).status).toBe(403);
});

test("handles small files, downloads and temporary links as without a bucket", async () => {
  const url = await upload(testServer, "bo", { name: "a.txt", bytes: "hello", type: "text/plain" });
  const response = await read(testServer, "bo", url);
  expect([response.headers.get("content-length"), await response.text()]).toEqual(["5", "hello"]);
  const saved = await read(testServer, "bo", url.replace("uploads/", "uploads/download/"));
  expect(saved.headers.get("content-disposition")).toStartWith("attachment");
  const path = url.replace("/user_uploads/", "");
  const { url: link } = await testServer.request("bo", `GET /user_uploads/${path}`);
  expect(await (await read(testServer, null, link)).text()).toBe("hello");
  const empty = await upload(testServer, "bo", { name: "empty.txt", bytes: "" });
  const emptyFile = await read(testServer, "bo", empty);
  expect([emptyFile.status, await emptyFile.text()]).toEqual([200, ""]);
});

test("stores thumbnails in the bucket, and creates lost ones again", async () => {
  const url = await upload(testServer, "bo", picture);
  const key = `${uuid()}/thumbnails/${keyOf(url)}`;
  expect(await bucket.keys()).toContain(key);
  const uploadSmall = async () => {
    const bytes = await (await read(testServer, "bo", thumbnail(url))).bytes();
    const { width, height } = await new Bun.Image(bytes).metadata();
    return [width, height];
  };
  expect(await uploadSmall()).toEqual([747, 560]);
  const { endpoint, bucket: name } = bucket.config;
  const keys = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
  await new Bun.S3Client({ endpoint, bucket: name, ...keys }).delete(key);
  expect(await uploadSmall()).toEqual([747, 560]);
  expect(await bucket.keys()).toContain(key);
});

test("stores avatars, the icon and emoji in the bucket, and deletes replaced ones", async () => {
  const before = await bucket.keys();
  const listAddedKeys = async () => (await bucket.keys()).filter((key) => !before.includes(key));
  const { avatar_url } = await post(testServer, "bo", "POST /users/me/avatar", [picture]);
  expect((await read(testServer, null, avatar_url)).headers.get("content-type")).toBe("image/webp");
  const first = await listAddedKeys();
  expect(first).toHaveLength(2);
  await post(testServer, "bo", "POST /users/me/avatar", [picture]);
  await discarded(testServer);
  expect(await listAddedKeys()).toHaveLength(2);
  expect((await listAddedKeys()).filter((key) => first.includes(key))).toEqual([]);
  await testServer.request("bo", "DELETE /users/me/avatar");
  await discarded(testServer);
  expect(await listAddedKeys()).toEqual([]);
  const { icon_url } = await post(testServer, "ada", "POST /realm/icon", [picture]);
  expect((await read(testServer, null, icon_url)).status).toBe(200);
  const gif = { name: "a.gif", bytes: movingGif(), type: "image/gif" };
  expect((await post(testServer, "ada", "POST /realm/emoji/dance", [gif])).status).toBe(200);
  expect(await listAddedKeys()).toHaveLength(3);
  await testServer.request("ada", "DELETE /realm/icon");
  await discarded(testServer);
  expect(await listAddedKeys()).toHaveLength(2);
});

test("deletes a file from the bucket with its record", async () => {
  const url = await upload(testServer, "bo", picture);
  const { attachments } = await testServer.request("bo", "GET /attachments");
  await testServer.request("bo", `DELETE /attachments/${attachments.at(-1).id}`);
  await discarded(testServer);
  expect((await bucket.keys()).filter((key) => key.endsWith(keyOf(url)))).toEqual([]);
  expect((await read(testServer, "bo", url)).status).toBe(404);
});

test("deletes unused objects, but none of other applications", async () => {
  const url = await upload(testServer, "bo", { name: "kept.txt", bytes: "kept" });
  await testServer.request("bo", "POST /messages", {
    type: "channel",
    to: "general",
    topic: "t",
    content: `[a](${url})`,
  });
  const unused = await upload(testServer, "bo", picture);
  const { endpoint, bucket: name } = bucket.config;
  const keys = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
  const client = new Bun.S3Client({ endpoint, bucket: name, ...keys });
  const shard = keyOf(url).split("/")[0];
  const others = `other/files/${shard}/stray`;
  const stray = `${uuid()}/files/${shard}/stray`;
  for (const key of [others, stray]) await client.write(key, "x");
  testServer.clock.passSeconds(41 * DAY);
  for (let hour = 0; hour < 256; hour++) {
    testServer.clock.passSeconds(3_600);
    await purgeFiles(testServer.realm);
  }
  await discarded(testServer);
  const remainingKeys = await bucket.keys();
  expect(remainingKeys).toContain(`${uuid()}/files/${keyOf(url)}`);
  expect(remainingKeys).toContain(others);
  expect(remainingKeys).not.toContain(stray);
  expect(remainingKeys.filter((key) => key.endsWith(keyOf(unused)))).toEqual([]);
});
