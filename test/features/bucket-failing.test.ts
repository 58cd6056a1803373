// When a bucket fails, requests get a clear error, nothing is half done, and jobs are retried.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as errors from "../../src/contract/errors/general.ts";
import { purgeFiles } from "../../src/features/files/purge.ts";
import { openBucket, type TestBucket } from "../s3-server.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { discarded, post, read, striped, upload } from "./upload-fixture.ts";

let bucket: TestBucket;
let testServer: TestServer;
beforeEach(async () => {
  bucket = await openBucket();
  testServer = await startTestServer({ bucket: bucket.config });
});
afterEach(() => (bucket.shouldFail = () => false));
afterEach(async () => {
  await testServer.close();
  await bucket.close();
});

const picture = { name: "p.png", bytes: striped(1200, 900), type: "image/png" };
const large = { name: "large.bin", bytes: new Uint8Array(20 * 2 ** 20) };
const drafts = () => readdirSync(join(testServer.directory, "data/uploads/drafts"));
const always = () => true;
const isWrite = (method: string) => method === "PUT" || method === "POST";

function isUnavailable(response: unknown) {
  const { errCode: code, status, message: msg } = errors.bucketUnavailable("");
  expect([code, status]).toEqual(["FILE_STORE_UNAVAILABLE", 503]);
  expect(response).toMatchObject({ status, code, msg });
}

test("rejects an upload without sending events or leaving anything behind", async () => {
  const keys = await bucket.keys();
  const before = await testServer.request("bo", "GET /attachments");
  const isPart = (method: string, path: string) => isWrite(method) && path.includes("/files/");
  for (const fails of [always, isWrite, isPart]) {
    for (const file of [picture, large]) {
      bucket.shouldFail = fails;
      const { result, events } = await staysInSync(testServer, ["bo"], () =>
        post(testServer, "bo", "POST /user_uploads", [file]),
      );
      isUnavailable(result);
      expect(events.bo).toEqual([]);
      bucket.shouldFail = () => false;
      testServer.clock.passSeconds(10);
      await discarded(testServer);
      expect(drafts()).toEqual([]);
      expect(await bucket.keys()).toEqual(keys);
    }
  }
  expect(await testServer.request("bo", "GET /attachments")).toEqual(before);
});

test("can read a file again after a temporary failure", async () => {
  const url = await upload(testServer, "bo", picture);
  const thumbnailUrl = `${url.replace("uploads/", "uploads/thumbnail/")}/840x560.webp`;
  const { avatar_url } = await post(testServer, "bo", "POST /users/me/avatar", [picture]);
  const { url: link } = await testServer.request("bo", `GET ${url}`);
  for (const path of [url, thumbnailUrl, avatar_url, link]) {
    bucket.shouldFail = always;
    const response = await read(testServer, "bo", path);
    isUnavailable({ status: response.status, ...((await response.json()) as object) });
    bucket.shouldFail = (method) => method === "GET";
    expect((await read(testServer, "bo", path)).status).toBe(503);
    bucket.shouldFail = () => false;
    expect((await read(testServer, "bo", path)).status).toBe(200);
  }
});

test("keeps the avatar and the icon if a new one cannot be stored", async () => {
  const { avatar_url } = await post(testServer, "cy", "POST /users/me/avatar", [picture]);
  const keys = await bucket.keys();
  bucket.shouldFail = (method, path) => isWrite(method) && path.includes("medium");
  isUnavailable(await post(testServer, "cy", "POST /users/me/avatar", [picture]));
  bucket.shouldFail = isWrite;
  isUnavailable(await post(testServer, "ada", "POST /realm/icon", [picture]));
  isUnavailable(await post(testServer, "ada", "POST /realm/emoji/wave2", [picture]));
  bucket.shouldFail = () => false;
  testServer.clock.passSeconds(10);
  await discarded(testServer);
  expect(await bucket.keys()).toEqual(keys);
  expect((await read(testServer, "cy", avatar_url)).status).toBe(200);
  expect(Object.values((await testServer.request("ada", "GET /realm/emoji")).emoji)).toEqual([]);
});

test("deletes a file at once, and its bytes when the bucket is available again", async () => {
  const url = await upload(testServer, "bo", picture);
  const { attachments } = await testServer.request("bo", "GET /attachments");
  const keys = await bucket.keys();
  const failed = Promise.withResolvers<void>();
  bucket.shouldFail = (method) => {
    if (method === "DELETE") failed.resolve();
    return true;
  };
  const line = `DELETE /attachments/${attachments.at(-1).id}`;
  const { events } = await staysInSync(testServer, ["bo"], () => testServer.request("bo", line));
  expect(events.bo).toMatchObject([{ type: "attachment", op: "remove" }]);
  expect((await read(testServer, "bo", url)).status).toBe(404);
  await failed.promise;
  bucket.shouldFail = () => false;
  expect(await bucket.keys()).toEqual(keys);
  testServer.clock.passSeconds(10);
  await testServer.restart();
  await discarded(testServer);
  expect((await bucket.keys()).length).toBe(keys.length - 2);
});

test("completes an upload in parts when the bucket is back, sending nothing twice", async () => {
  const own = { Authorization: testServer.basicAuthorization("bo"), "Tus-Resumable": "1.0.0" };
  const startedUpload = await fetch(`${testServer.url}/api/v1/tus/`, {
    method: "POST",
    headers: { ...own, "Upload-Length": "10" },
  });
  const { pathname } = new URL(startedUpload.headers.get("location")!);
  const add = (offset: number, body: string) =>
    fetch(testServer.url + pathname, {
      method: "PATCH",
      headers: {
        ...own,
        "Content-Type": "application/offset+octet-stream",
        "Upload-Offset": String(offset),
      },
      body,
    });
  bucket.shouldFail = always;
  const refusal = await add(0, "0123456789");
  expect([refusal.status, refusal.headers.get("tus-resumable")]).toEqual([503, "1.0.0"]);
  const message = errors.bucketUnavailable("").message;
  expect(await refusal.json()).toMatchObject({ message });
  bucket.shouldFail = () => false;
  await testServer.restart();
  const result = await add(10, "");
  const { url } = (await result.json()) as { url: string };
  expect(await (await read(testServer, "bo", url)).text()).toBe("0123456789");
  expect(drafts()).toEqual([]);
});

test("continues a cleanup without the bucket", async () => {
  const url = await upload(testServer, "bo", picture);
  testServer.clock.passSeconds(36 * 86_400);
  bucket.shouldFail = always;
  const round = purgeFiles(testServer.realm).catch((error: unknown) => error);
  expect(await round).toBeInstanceOf(errors.Refusal);
  expect((await read(testServer, "bo", url)).status).toBe(404);
});
