// Removal of unused files, unfinished uploads and bytes without a row.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { purgeFiles } from "../../src/features/files/purge.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { read, upload } from "./upload-fixture.ts";

const DAY = 86_400;

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer({ archive_days: 40 });
});
afterEach(() => testServer.close());

const uploadFile = (name: string) => upload(testServer, "bo", { name, bytes: name });
const status = async (url: string) => (await read(testServer, "bo", url)).status;
const folder = (name: string) => join(testServer.directory, "data/uploads", name);

test("deletes files without a message after their time, and keeps others", async () => {
  const [unused, linked, drafted, scheduled] = [
    await uploadFile("unused"),
    await uploadFile("linked"),
    await uploadFile("drafted"),
    await uploadFile("scheduled"),
  ];
  const to = [testServer.idOf("cy")];
  const { id } = await testServer.request("bo", "POST /messages", {
    type: "channel",
    to: "general",
    topic: "t",
    content: `[a](${linked})`,
  });
  await testServer.request("bo", "POST /drafts", {
    drafts: [{ type: "private", to, topic: "", content: `[a](${drafted})` }],
  });
  await testServer.request("bo", "POST /scheduled_messages", {
    type: "direct",
    to,
    content: `[a](${scheduled})`,
    scheduled_delivery_timestamp: testServer.realm.read.now + 90 * DAY,
  });
  testServer.clock.passSeconds(39 * DAY);
  await purgeFiles(testServer.realm);
  expect(await status(unused)).toBe(200);
  await testServer.request("ada", `DELETE /messages/${id}`);
  testServer.clock.passSeconds(2 * DAY);
  await purgeFiles(testServer.realm);
  expect(await Promise.all([unused, linked, drafted, scheduled].map(status))).toEqual([
    404, 200, 200, 200,
  ]);
  testServer.clock.passSeconds(39 * DAY);
  await purgeFiles(testServer.realm);
  expect(await Promise.all([linked, drafted, scheduled].map(status))).toEqual([404, 200, 200]);
  const { attachments, upload_space_used } = await testServer.request("bo", "GET /attachments");
  expect(attachments).toHaveLength(2);
  expect(upload_space_used).toBe("drafted".length + "scheduled".length);
});

test("forgets an unfinished upload after a day", async () => {
  const start = async () => {
    const headers = {
      Authorization: testServer.basicAuthorization("bo"),
      "Tus-Resumable": "1.0.0",
      "Upload-Length": "10",
    };
    const response = await fetch(`${testServer.url}/api/v1/tus/`, { method: "POST", headers });
    return new URL(response.headers.get("location")!).pathname;
  };
  const location = await start();
  await purgeFiles(testServer.realm);
  expect((await read(testServer, "bo", location)).status).toBe(200);
  testServer.clock.passSeconds(DAY + 1);
  const newer = await start();
  await purgeFiles(testServer.realm);
  expect((await read(testServer, "bo", location)).status).toBe(404);
  expect((await read(testServer, "bo", newer)).status).toBe(200);
  expect(readdirSync(folder("drafts"))).toHaveLength(1);
});

test("deletes bytes without a record, a few folders at a time", async () => {
  const url = await uploadFile("kept");
  const [, shard, key] = url.replace("/user_uploads/", "").split("/");
  const stray = join(folder(`files/${shard}`), "stray");
  const fresh = join(folder(`thumbnails/${shard}`), "fresh");
  const own = join(folder(`thumbnails/${shard}`), key!);
  mkdirSync(folder(`thumbnails/${shard}`), { recursive: true });
  for (const path of [stray, fresh, own]) writeFileSync(path, "x");
  const laterDate = new Date(testServer.clock.now() + 300 * 3_600_000);
  utimesSync(fresh, laterDate, laterDate);
  testServer.clock.passSeconds(DAY);
  for (let hour = 0; hour < 256; hour++) {
    testServer.clock.passSeconds(3_600);
    await purgeFiles(testServer.realm);
  }
  expect([stray, fresh, own].map((path) => existsSync(path))).toEqual([false, true, true]);
  expect(await status(url)).toBe(200);
});
