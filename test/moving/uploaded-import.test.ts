// Imports in the browser: owners upload an archive in pieces, plan, import and undo it.
import { afterAll, beforeAll, beforeEach, expect, spyOn, test } from "bun:test";
import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mustBeOwner } from "../../src/contract/errors/general.ts";
import { ownPasswordWrong } from "../../src/contract/errors/people.ts";
import {
  importArchiveTooLarge,
  importBusy,
  importNotPlanned,
  importOffsetWrong,
  importOldUrlInvalid,
  importPieceTooLarge,
  importRefused,
  importReportMissing,
  importUploadBusy,
  importUploadExists,
  importUploadIncomplete,
  importUploadMissing,
  importWithoutSpace,
} from "../../src/contract/errors/realm.ts";
import {
  ARCHIVE_GIB_MAX,
  ARCHIVE_KEPT_SECONDS,
  GIB,
} from "../../src/features/moving/uploaded/rules.ts";
import { currentOf, forgetUpload } from "../../src/features/moving/uploaded/state.ts";
import { checkSpace } from "../../src/features/moving/uploaded/upload.ts";
import { purgeImportUpload, startPlan } from "../../src/features/moving/uploaded/jobs.ts";
import { Browser, PASSWORD } from "../browser.ts";
import type { Name } from "../users.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { setPasswords, ImportPage, IMPORT, signedIn } from "./import-page.ts";
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

beforeEach(() => forgetUpload(testServer.realm, { report: null }));

/** The routes of imports in the form in which `ask` takes them. */
const LINES = [
  "GET //json/administration/import/",
  "POST //json/administration/import/upload/",
  "PATCH //json/administration/import/upload/",
  "DELETE //json/administration/import/upload/",
  "GET //json/administration/import/users/",
  "PATCH //json/administration/import/users/",
  "POST //json/administration/import/plan/",
  "POST //json/administration/import/run/",
  "GET //json/administration/import/report/",
  "POST //json/administration/import/undo/",
];
const pageLine = (line: string) => line.replace(" //json", " ");

const slackArchive = () => zipOf(slackEntries());

test("rejects every role but owners, visitors, and API keys of owners", async () => {
  for (const name of ["ada", "mo", "bo", "gus"] as Name[]) {
    const browser = await signedIn(testServer, name);
    for (const line of LINES) {
      const { code } = await browser.refused(pageLine(line));
      expect(`${name} ${line}: ${code}`).toBe(`${name} ${line}: UNAUTHORIZED_PRINCIPAL`);
    }
  }
  const visitor = new Browser(testServer);
  await visitor.open("/login/");
  for (const line of LINES) {
    expect((await visitor.refused(pageLine(line))).status).toBe(401);
    expect((await testServer.send("olga", line)).status).toBe(401);
  }
  expect(page.archives()).toEqual([]);
});

test("receives an archive in pieces, each at the end of the one before", async () => {
  const bytes = slackArchive();
  expect((await page.add(0, bytes)).msg).toBe(importUploadMissing().message);
  expect(await page.begin(bytes.length)).toMatchObject({ received: 0 });
  const twice = await page.browser.refused(`POST ${IMPORT}upload/`, { name: "b.zip", size: 1 });
  expect(twice.msg).toBe(importUploadExists().message);
  expect(await page.add(0, bytes.subarray(0, 100))).toMatchObject({ status: 200, received: 100 });
  const wrong = await page.add(50, bytes.subarray(50));
  expect(wrong).toMatchObject({ status: 409, msg: importOffsetWrong(100).message, received: 100 });
  const early = await page.browser.refused(`POST ${IMPORT}plan/`);
  expect(early.msg).toBe(importUploadIncomplete().message);
  await testServer.restart();
  page = await ImportPage.open(testServer);
  const upload = { name: "slack export.zip", size: bytes.length, received: 100 };
  expect((await page.state()).upload).toMatchObject(upload);
  const more = Buffer.concat([bytes.subarray(100), Buffer.from("x")]);
  expect((await page.add(100, more)).msg).toBe(importPieceTooLarge().message);
  const { received } = (await page.state()).upload as { received: number };
  const rest = bytes.subarray(received);
  expect(await page.add(received, rest)).toMatchObject({ received: bytes.length });
  await page.browser.request(`DELETE ${IMPORT}upload/`);
  expect(await page.state()).toMatchObject({ upload: null, task: null, plan: null });
  expect(page.archives()).toEqual([]);
});

test("rejects archives that are too large for the server or its disk", async () => {
  const size = ARCHIVE_GIB_MAX * GIB + 1;
  const refusal = await page.browser.refused(`POST ${IMPORT}upload/`, { name: "a.zip", size });
  expect(refusal.msg).toBe(importArchiveTooLarge(ARCHIVE_GIB_MAX).message);
  expect(page.archives()).toEqual([]);
  const [neededBytes, free] = [10 * 1_048_576, 20 * 1_048_576 - 1];
  expect(() => checkSpace(neededBytes, free + 1)).not.toThrow();
  expect(() => checkSpace(neededBytes, free)).toThrow(importWithoutSpace(20, 19).message);
});

test("accepts one task and one piece at a time", async () => {
  await page.planImport(slackArchive());
  const current = currentOf(testServer.realm);
  const busy = ["POST /administration/import/plan/", "DELETE /administration/import/upload/"];
  current.task = "run";
  for (const line of busy) {
    expect((await page.browser.refused(line)).msg).toBe(importBusy().message);
  }
  const archive = await page.archive();
  for (const line of [`POST ${IMPORT}run/`, `PATCH ${IMPORT}users/`]) {
    const upload = { archive, source: "U0NEW", role: "guest" };
    expect((await page.browser.refused(line, upload)).msg).toBe(importBusy().message);
  }
  expect((await page.add(0, slackArchive())).msg).toBe(importBusy().message);
  current.task = undefined;
  current.isReceiving = true;
  expect((await page.add(0, slackArchive())).msg).toBe(importUploadBusy().message);
  const deleting = await page.browser.refused("DELETE /administration/import/upload/");
  expect(deleting.msg).toBe(importUploadBusy().message);
  current.isReceiving = false;
});

test("ends a task whose state cannot be stored, and accepts the next", async () => {
  await page.upload(slackArchive());
  const { realm } = testServer;
  // Calls the function directly, to block the file of the state before its first turn.
  startPlan(realm, currentOf(realm).stored.upload!, { roles: "keep", channels: "private" });
  const blocked = join(realm.config.data, "imports", "state.json.new");
  mkdirSync(blocked);
  expect(await page.untilFinished()).toMatchObject({ task: null, report: { outcome: "broken" } });
  rmdirSync(blocked);
  await page.browser.request(`POST ${IMPORT}plan/`);
  expect(await page.untilFinished()).toMatchObject({ plan: { outcome: "planned" } });
});

test("forgets an archive whose file is gone after a restart", async () => {
  await page.upload(slackArchive());
  rmSync(join(testServer.realm.config.data, "imports", page.archives()[0]!), { recursive: true });
  await testServer.restart();
  page = await ImportPage.open(testServer);
  expect(await page.state()).toMatchObject({ upload: null });
});

test("deletes an archive that was not imported within a day", async () => {
  await page.upload(slackArchive());
  await purgeImportUpload(testServer.realm);
  expect(page.archives()).toHaveLength(1);
  testServer.clock.passSeconds(ARCHIVE_KEPT_SECONDS);
  await purgeImportUpload(testServer.realm);
  expect(page.archives()).toEqual([]);
  page = await ImportPage.open(testServer);
  expect(await page.state()).toMatchObject({ upload: null });
});

test("deletes archives that a killed process left, but not the current one", async () => {
  await page.upload(slackArchive());
  const leftoverFolder = join(testServer.realm.config.data, "imports/left");
  mkdirSync(leftoverFolder);
  writeFileSync(join(leftoverFolder, "slack.zip"), slackArchive());
  await purgeImportUpload(testServer.realm);
  expect(existsSync(leftoverFolder)).toBe(false);
  expect(page.archives()).toHaveLength(1);
});

test("plans, imports, reports and undoes a Slack export", async () => {
  expect((await page.browser.refused(`GET ${IMPORT}report/`)).msg).toBe(
    importReportMissing().message,
  );
  await page.upload(slackArchive());
  const password = PASSWORD;
  const archive = await page.archive();
  const refusal = await page.browser.refused(`POST ${IMPORT}run/`, { archive, password });
  expect(refusal.msg).toBe(importNotPlanned().message);
  const messages = testServer.realm.read.messages.count();
  const imports = testServer.realm.read.imports.count();
  await page.browser.request(`POST ${IMPORT}plan/`);
  const { plan } = await page.untilFinished();
  expect(plan).toMatchObject({ outcome: "planned", product: "slack", path: "slack export.zip" });
  expect((plan as Json).found).toMatchObject({ users: 6 });
  expect(testServer.realm.read.imports.count()).toBe(imports);
  expect(testServer.realm.read.messages.count()).toBe(messages);
  const { users } = await page.browser.request(`GET ${IMPORT}users/`);
  expect(users).toContainEqual({
    ...{ source: "U0NEW", full_name: "Nina New", email: "nina@example.com", role: 400 },
    ...{ is_bot: false, is_active: true },
  });
  expect(users).toContainEqual(expect.objectContaining({ source: "U0GONE", email: null }));

  const wrong = await page.browser.refused(`POST ${IMPORT}run/`, { archive, password: "wrong" });
  expect(wrong.msg).toBe(ownPasswordWrong().message);
  await page.map("U0NEW", "nina@example.org", "moderator");
  await page.run();
  const done = await page.untilFinished();
  expect(done).toMatchObject({ upload: null, plan: null, report: { outcome: "imported" } });
  expect(page.archives()).toEqual([]);
  const nina = testServer.realm.read.users.findBy("email", "nina@example.org");
  expect(nina).toMatchObject({ role: 300 });
  expect(testServer.realm.read.messages.count()).toBeGreaterThan(messages);
  const { import_id } = done.report as { import_id: number };
  expect(done.imports).toContainEqual(expect.objectContaining({ import_id, state: "done" }));
  const response = await page.browser.fetch(`GET ${IMPORT}report/`);
  expect(response.headers.get("content-disposition")).toContain("attachment");
  const text = await response.text();
  expect(JSON.parse(text)).toEqual(done.report);
  expect(text).not.toContain(testServer.realm.config.data);
  const { acts } = await page.browser.request("GET /audit/", { act: "import_started" });
  expect(acts[0]).toMatchObject({ via: "browser", actor_id: testServer.idOf("olga") });

  const undo = `POST ${IMPORT}undo/`;
  expect((await page.browser.refused(undo, { import_id, password: "wrong" })).msg).toBe(
    ownPasswordWrong().message,
  );
  await page.browser.request(undo, { import_id, password });
  expect(await page.untilFinished()).toMatchObject({ report: { outcome: "undone", faults: [] } });
  expect(testServer.realm.read.messages.count()).toBe(messages);
  expect(testServer.realm.read.users.findBy("email", "nina@example.org")).toBeUndefined();
  expect((await page.browser.refused(undo, { import_id, password })).msg).toContain(
    "already undone",
  );
  const unknown = await page.browser.refused(undo, { import_id: 999, password });
  expect(unknown.msg).toBe(importRefused("There is no import 999.").message);
});

/** Sends a request of a second owner, who loses the role while the server checks the password. */
async function afterDemotion(line: string, params: Json): Promise<string> {
  const user = `PATCH /users/${testServer.idOf("ada")}`;
  await testServer.request("olga", user, { role: 100 });
  const browser = await signedIn(testServer, "ada");
  const verify = Bun.password.verify;
  const verifying = spyOn(Bun.password, "verify").mockImplementationOnce(async (...args) => {
    await testServer.request("olga", user, { role: 200 });
    return verify(...args);
  });
  const { msg } = await browser.refused(line, { ...params, password: PASSWORD });
  expect(verifying).toHaveBeenCalledTimes(1);
  verifying.mockRestore();
  return msg;
}

test("starts and undoes no import of an owner who lost the role during the check", async () => {
  await page.planImport(slackArchive());
  const archive = await page.archive();
  const messages = testServer.realm.read.messages.count();
  const refusal = mustBeOwner().message;
  expect(await afterDemotion(`POST ${IMPORT}run/`, { archive })).toBe(refusal);
  expect(await page.state()).toMatchObject({ task: null, upload: { archive } });
  expect(testServer.realm.read.messages.count()).toBe(messages);

  await page.run();
  const { import_id } = (await page.untilFinished()).report as { import_id: number };
  expect(await afterDemotion(`POST ${IMPORT}undo/`, { import_id })).toBe(refusal);
  expect(await page.untilFinished()).toMatchObject({ report: { outcome: "imported" } });
  await page.browser.request(`POST ${IMPORT}undo/`, { import_id, password: PASSWORD });
  expect(await page.untilFinished()).toMatchObject({ report: { outcome: "undone" } });
});

test("imports with the choices of the plan", async () => {
  const { choices } = await page.planImport(slackArchive(), { roles: "keep", channels: "public" });
  expect(choices).toEqual({ roles: "keep", channels: "public" });
  await page.map("U0OLGA", "second@example.org");
  await page.run();
  const { report } = await page.untilFinished();
  expect(testServer.realm.read.users.findBy("email", "second@example.org")).toMatchObject({
    role: 100,
  });
  const { import_id } = report as { import_id: number };
  await page.browser.request("POST /administration/import/undo/", {
    import_id,
    password: PASSWORD,
  });
  expect(await page.untilFinished()).toMatchObject({ report: { outcome: "undone" } });
});

test("rejects an old URL that is not one of a server", async () => {
  await page.upload(slackArchive());
  const invalid = ["", "old.example", "https://old.example/rooms/1", "ftp://old.example"];
  invalid.push("https://[", "https://old.example:99999", "https://me@old.example", "http://a?b");
  for (const old_url of invalid) {
    const { msg } = await page.browser.refused(`POST ${IMPORT}plan/`, { old_url });
    expect(msg).toBe(importOldUrlInvalid().message);
  }
  expect(await page.state()).toMatchObject({ task: null, plan: null });
});

test("says what is wrong with a damaged archive, and leaves nothing of it", async () => {
  const { realm } = testServer;
  const countRows = () => [realm.read.users.count(), realm.read.channels.count()];
  const before = countRows();
  const state = await page.planImport(slackArchive().subarray(0, -30));
  expect(state).toMatchObject({ upload: null, plan: null, report: { outcome: "refused" } });
  const [fault] = (state.report as { faults: string[] }).faults;
  expect(fault).toStartWith("slack export.zip: ");
  expect(fault).not.toContain(realm.config.data);
  expect(page.archives()).toEqual([]);
  expect(countRows()).toEqual(before);
});
