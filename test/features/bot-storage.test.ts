// Bot storage: key-value data that only the bot can access.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/general.ts";
import * as peopleErrors from "../../src/contract/errors/people.ts";
import { BOT_STORAGE_SIZE_MAX } from "../../src/features/bots/rules.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const put = (storage: Params) => testServer.request("bot", "PUT /bot_storage", { storage });
const getStorage = async (params: Params = {}) =>
  (await testServer.request("bot", "GET /bot_storage", params)).storage;

async function expectRefused(refusal: errors.Refusal, line: string, params: Params = {}) {
  const { errCode: code, status, message: msg } = refusal;
  expect(await testServer.refused("bot", line, params)).toMatchObject({ status, code, msg });
}

test("stores, replaces and deletes texts by name", async () => {
  expect(await getStorage()).toEqual({});
  await put({ a: "1", b: "2", ["long ".repeat(500)]: "3" });
  await put({ b: "zwei" });
  expect(await getStorage()).toEqual({ a: "1", b: "zwei", ["long ".repeat(500)]: "3" });
  expect(await getStorage({ keys: ["b"] })).toEqual({ b: "zwei" });
  await expectRefused(peopleErrors.botStorageKeyNotFound(), "GET /bot_storage", {
    keys: ["b", "c"],
  });
  await expectRefused(peopleErrors.botStorageKeyNotFound(), "DELETE /bot_storage", {
    keys: ["b", "c"],
  });
  await testServer.request("bot", "DELETE /bot_storage", { keys: ["b", "b"] });
  expect(Object.keys(await getStorage())).toHaveLength(2);
  await testServer.request("bot", "DELETE /bot_storage");
  expect(await getStorage()).toEqual({});
  expect(testServer.realm.read.bots.get(testServer.idOf("bot"))!.storage_size).toBe(0);
});

test("limits the storage of a bot in characters", async () => {
  await put({ face: "😀" });
  expect(testServer.realm.read.bots.get(testServer.idOf("bot"))!.storage_size).toBe(5);
  await testServer.realm.write((tx) => {
    const bot = tx.bots.get(testServer.idOf("bot"))!;
    tx.bots.put({ ...bot, storage_size: BOT_STORAGE_SIZE_MAX - 2 });
  });
  const storageFull = peopleErrors.botStorageFull(3, BOT_STORAGE_SIZE_MAX);
  await expectRefused(storageFull, "PUT /bot_storage", { storage: { more: "x" } });
  await put({ a: "1", face: "😀" });
  expect(await getStorage()).toEqual({ a: "1", face: "😀" });
  await expectRefused(errors.malformed('storage["a"] is not a string'), "PUT /bot_storage", {
    storage: { a: 1 },
  });
});

test("rejects storage for users", async () => {
  const { errCode: code, message: msg } = errors.mustBeBot();
  expect(code).toBe("PERMISSION_DENIED");
  for (const line of ["GET /bot_storage", "PUT /bot_storage", "DELETE /bot_storage"]) {
    expect(await testServer.refused("bo", line)).toMatchObject({ status: 400, code, msg });
  }
});
