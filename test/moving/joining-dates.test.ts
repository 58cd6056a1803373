// Imported accounts keep the date at which their users joined the old product.
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Json, TestServer } from "../test-server.ts";
import { dumpFolder } from "./bson-writer.ts";
import { campfireDatabase, PASSWORD } from "./campfire-fixture.ts";
import { folderIn, openServer, run, zipIn } from "./import-fixture.ts";
import {
  entries as mattermostEntries,
  LINES,
  user as mattermostUser,
} from "./mattermost-fixture.ts";
import { COLLECTIONS } from "./rocketchat-fixture.ts";
import { slackEntries } from "./slack-fixture.ts";

const JOINED = Date.parse("2019-03-04T05:06:07Z");
const SECONDS = JOINED / 1_000;

const nina = ({ realm }: TestServer) => realm.read.users.findBy("email", "nina@example.com")!;

test("Rocket.Chat users keep the date at which they joined", async () => {
  const testServer = await openServer();
  const users = COLLECTIONS["users"]!.map((user: Json) => {
    const createdAt = user["_id"] === "u3" ? "never" : new Date(JOINED);
    return { ...user, createdAt };
  });
  await run(testServer, folderIn(testServer.directory, dumpFolder({ ...COLLECTIONS, users })));
  expect(nina(testServer).date_joined).toBe(SECONDS);
});

test("Mattermost users keep the date at which they joined unless it is in the future", async () => {
  const testServer = await openServer();
  const future = testServer.realm.read.now + 1_000;
  const lines = [
    ...LINES.filter((line) => line["user"]?.username !== "nina"),
    mattermostUser("nina", "nina@example.com", { create_at: JOINED }),
    mattermostUser("max", "max@example.com", { create_at: future * 1_000 }),
  ];
  await run(testServer, zipIn(testServer, mattermostEntries(lines)));
  expect(nina(testServer).date_joined).toBe(SECONDS);
  const max = testServer.realm.read.users.findBy("email", "max@example.com")!;
  expect(max.date_joined).toBeLessThan(future);
});

test("Campfire users keep the date at which they joined when they sign in", async () => {
  const testServer = await openServer();
  const path = join(testServer.directory, "production.sqlite3");
  campfireDatabase(path, (database) => {
    void database.run("ALTER TABLE users ADD COLUMN created_at TEXT");
    void database.run("UPDATE users SET created_at = '2019-03-04 05:06:07.123456' WHERE id = 4");
  });
  await run(testServer, path);
  expect(nina(testServer).date_joined).toBe(SECONDS);
  const credentials = { username: "nina@example.com", password: PASSWORD };
  const signedIn = await testServer.send(null, "POST /fetch_api_key", credentials);
  expect(signedIn.status).toBe(200);
  expect(nina(testServer).date_joined).toBe(SECONDS);
  expect(nina(testServer).is_awaited).toBeUndefined();
});

test("Slack users, whose export has no such date, join at their first sign-in", async () => {
  const testServer = await openServer();
  await run(testServer, zipIn(testServer, slackEntries()));
  expect(nina(testServer)).toMatchObject({
    date_joined: expect.any(Number),
    is_awaited: true,
  });
});
