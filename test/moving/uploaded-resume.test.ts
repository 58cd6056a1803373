// Imports and undos in the browser that a restart or another import stopped can be started again.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isImporting } from "../../src/features/moving/exclusive-import.ts";
import { runImport } from "../../src/features/moving/products/import-jobs.ts";
import { startRun } from "../../src/features/moving/uploaded/jobs.ts";
import { currentOf } from "../../src/features/moving/uploaded/state.ts";
import { PASSWORD } from "../browser.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { setPasswords, ImportPage, IMPORT } from "./import-page.ts";
import { slackEntries } from "./slack-fixture.ts";
import { zipOf } from "./zip.ts";

let testServer: TestServer;
let page: ImportPage;

beforeAll(async () => {
  testServer = await startTestServer();
  await setPasswords(testServer);
  page = await ImportPage.open(testServer);
});

afterAll(() => testServer.close());

const slackArchive = () => zipOf(slackEntries());

test("keeps the archive while another import is running, and imports it later", async () => {
  const { realm, directory } = testServer;
  const { choices } = await page.planImport(slackArchive());
  const from = join(directory, "other.zip");
  writeFileSync(from, slackArchive());
  const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
  const { write } = realm;
  realm.write = (async (body: never) => {
    await gate;
    return write.call(realm, body);
  }) as typeof write;
  const other = runImport(realm, { from }, true);
  while (!isImporting(realm)) await Bun.sleep(1);
  // Called directly, as if the other import had started just after the check.
  startRun(realm, currentOf(realm).stored.upload!, choices as { roles: "keep" });
  const { report, upload } = await page.untilFinished();
  expect(report).toMatchObject({ outcome: "broken", exit: 1 });
  expect((report as { faults: string[] }).faults[0]).toStartWith("Another import is running.");
  expect(upload).not.toBeNull();
  realm.write = write;
  openGate();
  const { import_id } = await other;
  await page.run();
  expect(await page.untilFinished()).toMatchObject({
    report: { outcome: "imported", written: {} },
  });
  await page.browser.request(`POST ${IMPORT}undo/`, { import_id, password: PASSWORD });
  expect(await page.untilFinished()).toMatchObject({ report: { outcome: "undone" } });
});

test("shows an import and an undo as interrupted after a restart, and resumes them", async () => {
  await page.planImport(slackArchive());
  const path = join(testServer.realm.config.data, "imports", "state.json");
  // The state in which a killed server leaves a running import.
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), task: "run" }));
  await testServer.restart();
  page = await ImportPage.open(testServer);
  expect((await page.state()).task).toMatchObject({ kind: "run", is_interrupted: true });
  await page.run();
  const { report } = await page.untilFinished();
  expect(report).toMatchObject({ outcome: "imported" });
  const { import_id } = report as { import_id: number };
  const interruptedState = {
    ...JSON.parse(readFileSync(path, "utf8")),
    task: "undo",
    report: null,
  };
  writeFileSync(path, JSON.stringify(interruptedState));
  await testServer.restart();
  page = await ImportPage.open(testServer);
  expect((await page.state()).task).toMatchObject({ kind: "undo", is_interrupted: true });
  await page.browser.request(`POST ${IMPORT}undo/`, { import_id, password: PASSWORD });
  expect(await page.untilFinished()).toMatchObject({ task: null, report: { outcome: "undone" } });
});
