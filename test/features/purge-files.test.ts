// What nobody needs any more is removed: unused files, unfinished uploads, bytes without a record.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { purgeFiles } from "../../src/features/files/purge.ts";
import { openTown, type Town } from "../town.ts";
import { read, upload } from "./uploading.ts";

const DAY = 86_400;

let town: Town;
beforeEach(async () => {
  town = await openTown({ archive_days: 40 });
});
afterEach(() => town.close());

const uploaded = (name: string) => upload(town, "bo", { name, bytes: name });
const status = async (url: string) => (await read(town, "bo", url)).status;
const folder = (name: string) => join(town.directory, "data/uploads", name);

test("files without a message go when their time is over, and others stay", async () => {
  const [unused, linked, drafted, scheduled] = [
    await uploaded("unused"),
    await uploaded("linked"),
    await uploaded("drafted"),
    await uploaded("scheduled"),
  ];
  const to = [town.idOf("cy")];
  const { id } = await town.ask("bo", "POST /messages", {
    type: "channel",
    to: "general",
    topic: "t",
    content: `[a](${linked})`,
  });
  await town.ask("bo", "POST /drafts", {
    drafts: [{ type: "private", to, topic: "", content: `[a](${drafted})` }],
  });
  await town.ask("bo", "POST /scheduled_messages", {
    type: "direct",
    to,
    content: `[a](${scheduled})`,
    scheduled_delivery_timestamp: town.realm.read.now + 90 * DAY,
  });
  town.clock.pass(39 * DAY);
  await purgeFiles(town.realm);
  expect(await status(unused)).toBe(200);
  await town.ask("ada", `DELETE /messages/${id}`);
  town.clock.pass(2 * DAY);
  await purgeFiles(town.realm);
  expect(await Promise.all([unused, linked, drafted, scheduled].map(status))).toEqual([
    404, 200, 200, 200,
  ]);
  town.clock.pass(39 * DAY);
  await purgeFiles(town.realm);
  expect(await Promise.all([linked, drafted, scheduled].map(status))).toEqual([404, 200, 200]);
  const { attachments, upload_space_used } = await town.ask("bo", "GET /attachments");
  expect(attachments).toHaveLength(2);
  expect(upload_space_used).toBe("drafted".length + "scheduled".length);
});

test("an upload that nobody went on with is forgotten after a day", async () => {
  const begin = async () => {
    const headers = {
      Authorization: town.basic("bo"),
      "Tus-Resumable": "1.0.0",
      "Upload-Length": "10",
    };
    const answer = await fetch(`${town.url}/api/v1/tus/`, { method: "POST", headers });
    return new URL(answer.headers.get("location")!).pathname;
  };
  const location = await begin();
  await purgeFiles(town.realm);
  expect((await read(town, "bo", location)).status).toBe(200);
  town.clock.pass(DAY + 1);
  const newer = await begin();
  await purgeFiles(town.realm);
  expect((await read(town, "bo", location)).status).toBe(404);
  expect((await read(town, "bo", newer)).status).toBe(200);
  expect(readdirSync(folder("drafts"))).toHaveLength(1);
});

test("bytes that have no record go, a few folders at a time", async () => {
  const url = await uploaded("kept");
  const [, shard, key] = url.replace("/user_uploads/", "").split("/");
  const stray = join(folder(`files/${shard}`), "stray");
  const fresh = join(folder(`thumbnails/${shard}`), "fresh");
  const own = join(folder(`thumbnails/${shard}`), key!);
  mkdirSync(folder(`thumbnails/${shard}`), { recursive: true });
  for (const path of [stray, fresh, own]) writeFileSync(path, "x");
  const later = new Date(town.clock.now() + 300 * 3_600_000);
  utimesSync(fresh, later, later);
  town.clock.pass(DAY);
  for (let hour = 0; hour < 256; hour++) {
    town.clock.pass(3_600);
    await purgeFiles(town.realm);
  }
  expect([stray, fresh, own].map((path) => existsSync(path))).toEqual([false, true, true]);
  expect(await status(url)).toBe(200);
});
