// Exports that users request of their own data: confirmed, one at a time, and without data of
// others.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownPasswordWrong } from "../../src/contract/errors/people.ts";
import {
  personExportNotReady,
  personExportPending,
  personExportTooSoon,
} from "../../src/contract/errors/realm.ts";
import { eraseProfile } from "../../src/features/accounts/erase.ts";
import { openArchive, bytesOf } from "../../src/features/moving/archive/archive.ts";
import { purgePersonExports } from "../../src/features/moving/person/jobs.ts";
import {
  PERSON_EXPORT_INTERVAL_SECONDS,
  PERSON_EXPORT_KEPT_SECONDS,
} from "../../src/features/moving/person/rules.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import type { Name } from "../users.ts";

let testServer: TestServer;
const browsers = new Map<Name, Browser>();

beforeAll(async () => {
  testServer = await startTestServer();
  const hash = await hashPassword(PASSWORD);
  const names = ["olga", "bo", "gus"] as const;
  await testServer.realm.write((tx) => {
    for (const name of names) tx.passwords.put({ user_id: testServer.idOf(name), hash });
  });
  for (const name of names) {
    const browser = new Browser(testServer);
    await browser.signIn(name);
    await browser.open("/");
    browsers.set(name, browser);
  }
  const direct = { type: "direct", to: [testServer.idOf("olga")], content: "ownwords" };
  await testServer.request("bo", "POST /messages", direct);
});

afterAll(() => testServer.close());

/** Deletes all exports, so that each test has its full quota of requests. */
beforeEach(async () => {
  await testServer.realm.write((tx) => {
    for (const { user_id } of [...tx.person_exports.range()]) tx.person_exports.delete(user_id);
  });
  await purgePersonExports(testServer.realm);
});

const BY_KEY = [
  "GET //json/account/export/",
  "POST //json/account/export/",
  "GET //json/account/export/file/",
];
const REQUEST = "POST /account/export/";
const exportState = async (name: Name) =>
  (await browsers.get(name)!.request("GET /account/export/")).export as Json;
const request = (name: Name, password = PASSWORD) =>
  browsers.get(name)!.request(REQUEST, { password });
const refusedTo = async (name: Name, password = PASSWORD) =>
  (await browsers.get(name)!.refused(REQUEST, { password })).msg;

async function exportPersonal(name: Name): Promise<Json> {
  await request(name);
  for (;;) {
    const state = await exportState(name);
    if (state.state !== "pending") return state;
    await Bun.sleep(5);
  }
}

const download = (name: Name) => browsers.get(name)!.fetch("GET /account/export/file/");
const files = () => {
  const directory = join(testServer.realm.config.data, "exports");
  return existsSync(directory) ? readdirSync(directory) : [];
};

test("exports the user's own data after the password, for that user alone", async () => {
  expect(await exportState("bo")).toBeNull();
  expect(await refusedTo("bo", "wrong")).toBe(ownPasswordWrong().message);
  expect(await exportState("bo")).toBeNull();
  expect(await exportPersonal("bo")).toMatchObject({
    state: "ready",
    requested: expect.any(Number),
  });
  const response = await download("bo");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-disposition")).toContain("attachment");
  expect(response.headers.get("cache-control")).toContain("no-store");
  const path = join(testServer.directory, "bo.zip");
  writeFileSync(path, new Uint8Array(await response.arrayBuffer()));
  const archive = await openArchive(path);
  const messages = await bytesOf(archive, "skein-my-data/messages.jsonl");
  expect(Buffer.from(messages).toString()).toContain("ownwords");
  await archive.close();
  for (const other of ["olga", "gus"] as const) {
    expect(await exportState(other)).toBeNull();
    expect((await download(other)).status).toBe(404);
  }
  for (const line of BY_KEY) {
    expect([line, (await testServer.send("bo", line)).status]).toEqual([line, 401]);
  }
});

test("allows one export at a time, and one a day", async () => {
  const { realm } = testServer;
  await realm.write((tx) => {
    const row = { user_id: testServer.idOf("gus"), requested: tx.now, key: "x", ended: null };
    tx.person_exports.put({ ...row, state: "started" });
  });
  expect(await refusedTo("gus")).toBe(personExportPending().message);
  expect(await exportState("gus")).toMatchObject({ state: "pending", size: null });
  expect((await download("gus")).status).toBe(404);
  expect((await exportPersonal("bo")).state).toBe("ready");
  expect(await refusedTo("bo")).toBe(personExportTooSoon().message);
  const [first] = files();
  await realm.write((tx) => {
    const row = tx.person_exports.get(testServer.idOf("bo"))!;
    tx.person_exports.put({ ...row, requested: tx.now - PERSON_EXPORT_INTERVAL_SECONDS });
  });
  expect((await exportPersonal("bo")).state).toBe("ready");
  expect(files()).toHaveLength(1);
  expect(files()).not.toContain(first!);
});

test("deletes an export when it expires, and with the account", async () => {
  const { realm } = testServer;
  await exportPersonal("bo");
  await purgePersonExports(realm);
  expect(files()).toHaveLength(1);
  await realm.write((tx) => {
    const row = tx.person_exports.get(testServer.idOf("bo"))!;
    tx.person_exports.put({ ...row, ended: tx.now - PERSON_EXPORT_KEPT_SECONDS });
  });
  await purgePersonExports(realm);
  expect([files(), await exportState("bo")]).toEqual([[], null]);
  const response = await download("bo");
  expect((await response.json()) as Json).toMatchObject({ msg: personExportNotReady().message });
  await exportPersonal("gus");
  await realm.write((tx) => eraseProfile(tx, testServer.idOf("gus")));
  await purgePersonExports(realm);
  expect(files()).toEqual([]);
});

test("writes an export anew that a crash interrupted", async () => {
  const { realm } = testServer;
  const user_id = testServer.idOf("bo");
  await realm.write((tx) => {
    const row = { user_id, requested: tx.now, key: "interrupted", ended: null };
    tx.person_exports.put({ ...row, state: "started" });
    tx.enqueue("write person export", tx.now * 1000, { user_id });
  });
  for (;;) {
    const state = await exportState("bo");
    if (state.state !== "pending") break;
    await Bun.sleep(5);
  }
  expect(await exportState("bo")).toMatchObject({ state: "ready" });
  expect(files()).toEqual(["person-interrupted.zip"]);
});
