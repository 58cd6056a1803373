// Choices for users of an uploaded archive are kept on the server, and apply to this archive only.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { emailNotAnAddress } from "../../src/contract/errors/people.ts";
import {
  importArchiveReplaced,
  importUploadMissing,
  importUserUnknown,
} from "../../src/contract/errors/realm.ts";
import { forgetUpload } from "../../src/features/moving/uploaded/state.ts";
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

beforeEach(async () => {
  forgetUpload(testServer.realm, { report: null });
  page = await ImportPage.open(testServer);
});

const slackArchive = () => zipOf(slackEntries());
const listMappedUsers = async () => (await page.browser.request(`GET ${IMPORT}users/`)).mapped;
const NINA = { source: "U0NEW", email: "nina@example.org", role: "moderator" };
const MAP = `PATCH ${IMPORT}users/`;

test("returns the choices with the users, also after a restart and another plan", async () => {
  await page.planImport(slackArchive());
  expect(await listMappedUsers()).toEqual([]);
  await page.map("U0OLGA", "", "guest");
  await page.map(NINA.source, "first@example.org");
  await page.map(NINA.source, NINA.email, NINA.role);
  const all = [{ source: "U0OLGA", email: "", role: "guest" }, NINA];
  expect(await listMappedUsers()).toEqual(all);
  await testServer.restart();
  page = await ImportPage.open(testServer);
  expect(await listMappedUsers()).toEqual(all);
  await page.browser.request(`POST ${IMPORT}plan/`, { roles: "keep" });
  await page.untilFinished();
  expect(await listMappedUsers()).toEqual(all);
  await page.map("U0OLGA", "");
  expect(await listMappedUsers()).toEqual([NINA]);
});

test("drops the choices with the archive, and rejects those for a replaced one", async () => {
  await page.planImport(slackArchive());
  const before = await page.archive();
  await page.map(NINA.source, NINA.email, NINA.role);
  await page.browser.request(`DELETE ${IMPORT}upload/`);
  const refusal = await page.browser.refused(MAP, { archive: before, ...NINA });
  expect(refusal.msg).toBe(importUploadMissing().message);
  await page.planImport(slackArchive());
  expect(await page.archive()).not.toBe(before);
  expect(await listMappedUsers()).toEqual([]);
  const late = { archive: before, ...NINA };
  const refused = await page.browser.refused(MAP, late);
  expect(refused).toMatchObject({ status: 409, msg: importArchiveReplaced().message });
  const imports = testServer.realm.read.imports.count();
  const run = await page.browser.refused(`POST ${IMPORT}run/`, {
    ...late,
    password: PASSWORD,
  });
  expect(run.msg).toBe(importArchiveReplaced().message);
  expect(await page.state()).toMatchObject({ task: null });
  expect(testServer.realm.read.imports.count()).toBe(imports);
  expect(await listMappedUsers()).toEqual([]);
});

test("rejects unknown users, roles and texts that are no addresses", async () => {
  await page.planImport(slackArchive());
  const archive = await page.archive();
  const refusalOfMapping = async (extra: object) =>
    (await page.browser.refused(MAP, { archive, ...NINA, ...extra })).msg;
  expect(await refusalOfMapping({ source: "U0OTHER" })).toBe(importUserUnknown().message);
  expect(await refusalOfMapping({ email: "no address" })).toBe(emailNotAnAddress().message);
  expect(await refusalOfMapping({ role: "emperor" })).toContain("role");
  expect(await listMappedUsers()).toEqual([]);
});
