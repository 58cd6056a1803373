// Commands about imports and exports, while a server runs on the directory.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { executeCommand, acceptCommands } from "../../src/commands/control.ts";
import { MovingRefused } from "../../src/features/moving/errors.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { skein } from "../commands/skein.ts";
import { slackEntries } from "./slack-fixture.ts";
import { zipOf } from "./zip.ts";
import { tarOf, zulipFiles } from "./zulip-fixture.ts";

let testServer: TestServer;
let socket: { stop(): Promise<void> };
let data: string;

beforeEach(async () => {
  testServer = await startTestServer();
  ({ data } = testServer.realm.config);
  // No process command is used here.
  socket = acceptCommands(testServer.realm, {} as Parameters<typeof acceptCommands>[1]);
});

afterEach(async () => {
  await socket.stop();
  await testServer.close();
});

test("a running server plans, imports, lists and undoes a Slack export", async () => {
  const from = join(testServer.directory, "slack.zip");
  writeFileSync(from, zipOf(slackEntries()));
  expect(await executeCommand(data, "planImport", { from })).toMatchObject({ outcome: "planned" });
  expect(testServer.realm.read.imports.count()).toBe(0);
  expect(await executeCommand(data, "runImport", { from })).toMatchObject({ outcome: "imported" });
  const list = await executeCommand(data, "importStatus", {});
  expect(list).toMatchObject([{ import_id: 1, product: "slack", state: "done" }]);
  expect(await executeCommand(data, "undoImport", { id: 1 })).toMatchObject({ outcome: "undone" });
  expect(await executeCommand(data, "importStatus", {})).toMatchObject([{ state: "undone" }]);
  const twice = executeCommand(data, "undoImport", { id: 1 });
  await expect(twice).rejects.toThrow("Import 1 was already undone.");
});

test("a running server rejects an undo and an export with their exit code", async () => {
  const undo = await skein(["import", "undo", "--id", "9", "--data", data], { isSource: true });
  expect([undo.code, undo.err]).toEqual([
    4,
    "skein: There is no import 9. See: skein import status\n",
  ]);
  const toUsed = executeCommand(data, "exportJsonl", { to: testServer.directory });
  await expect(toUsed).rejects.toBeInstanceOf(MovingRefused);
});

test("prints names of entries that the terminal does not interpret", async () => {
  const from = join(testServer.directory, "named.zip");
  const link = { name: "a\u001B[2Jb\nc\u009B1m\u202E", bytes: "x", mode: 0o120777 };
  writeFileSync(from, zipOf(slackEntries([link])));
  const plan = ["import", "plan", "--from", from, "--data", data];
  const { code, out } = await skein(plan, { isSource: true });
  expect(code).toBe(4);
  expect(out).toContain("a\\u001b[2Jb\\u000ac\\u009b1m\\u202e: is a link");
  const { out: json } = await skein([...plan, "--json"], { isSource: true });
  expect(json).not.toMatch(/[\u001B\u009B\u202E]/);
  const { faults } = JSON.parse(json) as { faults: string[] };
  expect(faults[0]).toStartWith(link.name);
});

test("a running server exports, and creates no second organization", async () => {
  const to = join(testServer.directory, "export");
  expect(await executeCommand(data, "exportJsonl", { to })).toMatchObject({ outcome: "exported" });
  const repeated = executeCommand(data, "exportJsonl", { to });
  await expect(repeated).rejects.toThrow("is not empty");
  const servedImport = executeCommand(data, "runImport", { from: to });
  await expect(servedImport).rejects.toThrow(
    /^A server is running on this directory\..* To resume an import, stop the server first\.$/,
  );
  const from = join(testServer.directory, "zulip.tar.gz");
  writeFileSync(from, tarOf(zulipFiles("12")));
  const addition = executeCommand(data, "runImport", { from });
  await expect(addition).rejects.toThrow("or to add a later export of the same server, stop");
  const plan = await executeCommand(data, "planImport", { from });
  expect(plan).toMatchObject({ outcome: "refused", exit: 4 });
  expect(plan.faults[0]).toContain("cannot be added to another organization");
});

test("prints the rows that were written, apart from what the archive has", async () => {
  const from = join(testServer.directory, "printed.zip");
  writeFileSync(from, zipOf(slackEntries()));
  const run = ["import", "run", "--from", from, "--data", data];
  const first = await skein(run, { isSource: true });
  expect(first.out).toMatch(/^ +2 {2}direct conversations$/m);
  expect(first.out).toMatch(/^Written: 2 matched users, 5 users, 3 channels, 28 messages/m);
  const second = await skein(run, { isSource: true });
  expect(second.out).toContain("There was nothing new to write.");
});
