// Commands about imports and exports, while a server runs on the directory.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { carryOut, takeCommands } from "../../src/commands/control.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { slackEntries } from "./slack-fixture.ts";
import { zipOf } from "./zip.ts";

let testServer: TestServer;
let socket: { stop(): Promise<void> };
let data: string;

beforeAll(async () => {
  testServer = await startTestServer();
  ({ data } = testServer.realm.config);
  // Nothing of the process is asked here.
  socket = takeCommands(testServer.realm, {} as Parameters<typeof takeCommands>[1]);
});

afterAll(async () => {
  await socket.stop();
  await testServer.close();
});

test("a running server plans, imports, lists and undoes a Slack export", async () => {
  const from = join(testServer.directory, "slack.zip");
  writeFileSync(from, zipOf(slackEntries()));
  expect(await carryOut(data, "planImport", { from })).toMatchObject({ outcome: "planned" });
  expect(testServer.realm.read.imports.count()).toBe(0);
  expect(await carryOut(data, "runImport", { from })).toMatchObject({ outcome: "imported" });
  const listed = await carryOut(data, "importStatus", {});
  expect(listed).toMatchObject([{ import_id: 1, product: "slack", state: "done" }]);
  expect(await carryOut(data, "undoImport", { id: 1 })).toMatchObject({ outcome: "undone" });
  expect(await carryOut(data, "importStatus", {})).toMatchObject([{ state: "undone" }]);
  const twice = carryOut(data, "undoImport", { id: 1 });
  await expect(twice).rejects.toThrow("Import 1 is undone already.");
});

test("a running server exports, and does not found an organization beside its own", async () => {
  const to = join(testServer.directory, "export");
  expect(await carryOut(data, "exportJsonl", { to })).toMatchObject({ outcome: "exported" });
  const again = carryOut(data, "exportJsonl", { to });
  await expect(again).rejects.toThrow("is not empty");
  const inside = carryOut(data, "runImport", { from: to });
  await expect(inside).rejects.toThrow("A server is running on this directory");
});
