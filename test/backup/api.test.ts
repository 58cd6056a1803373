// Backups in the browser: only owners see and start them, and nobody can download one.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backupsNotSet, backupUnderWay } from "../../src/contract/errors/realm.ts";
import { DEFAULT_KEEP } from "../../src/features/backup/rules.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { backUpAsSet } from "../../src/features/backup/nightly-jobs.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { emailOf, type Name } from "../users.ts";
import { EAST, startTwoOrganizations } from "../two-organizations.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let to: string;
beforeAll(async () => {
  testServer = await startTestServer();
  to = mkdtempSync(join(tmpdir(), "skein-shown-"));
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => {
    for (const { user_id } of tx.users.range()) tx.passwords.put({ user_id, hash });
  });
});
afterAll(async () => {
  await testServer.close();
  rmSync(to, { recursive: true, force: true });
});

async function browserOf(name: Name): Promise<Browser> {
  const browser = new Browser(testServer);
  await browser.signIn(name);
  return browser;
}

test("rejects other roles and API keys", async () => {
  for (const name of ["ada", "bo"] as Name[]) {
    const browser = await browserOf(name);
    for (const line of ["GET /backups/", "POST /backups/"]) {
      expect(await browser.refused(line)).toMatchObject({ code: "UNAUTHORIZED_PRINCIPAL" });
    }
  }
  expect((await testServer.send("olga", "GET //json/backups/")).status).toBe(401);
  expect((await testServer.send("olga", "POST //json/backups/")).status).toBe(401);
});

test("lets an owner start a backup to the configured location, and see its state", async () => {
  const olga = await browserOf("olga");
  const { config } = testServer.realm;
  delete config.backup;
  expect(await olga.request("GET /backups/")).toMatchObject({ place: null, time: null, sets: [] });
  expect((await olga.refused("POST /backups/")).msg).toBe(backupsNotSet().message);
  config.backup = {
    ...{ to: { directory: to }, recipients: [], keep: DEFAULT_KEEP },
    ...{ at_minutes: 185, with_secrets: false },
  };
  await olga.request("POST /backups/");
  expect((await olga.refused("POST /backups/")).msg).toBe(backupUnderWay().message);
  let response = await olga.request("GET /backups/");
  while (response.drill === null) {
    await Bun.sleep(20);
    response = await olga.request("GET /backups/");
  }
  expect(response).toMatchObject({ place: to, time: "03:05", is_running: false, failure: null });
  expect(response.drill.is_good).toBe(true);
  expect(response.sets).toHaveLength(1);
  expect(response.sets[0]).toMatchObject({
    id: response.last.id,
    is_whole: true,
    is_encrypted: false,
  });
  const { acts } = await olga.request("GET /audit/", { act: "backup_made" });
  expect(acts[0]).toMatchObject({ via: "browser", actor_id: testServer.idOf("olga") });
});

test("shows an owner of one of several organizations the state without paths", async () => {
  const twoOrganizations = await startTwoOrganizations();
  const path = mkdtempSync(join(tmpdir(), "skein-shown-"));
  const at_root = join(path, "vault");
  try {
    const { realm } = twoOrganizations.east;
    const hash = await hashPassword(PASSWORD);
    await realm.write((tx) => {
      for (const { user_id } of tx.users.range()) tx.passwords.put({ user_id, hash });
    });
    const olga = new Browser(twoOrganizations, { Host: EAST });
    await olga.open("/login/");
    const fields = { username: emailOf("olga"), password: PASSWORD };
    const body = new URLSearchParams({ csrfmiddlewaretoken: olga.csrf, ...fields });
    await olga.send("POST", "/accounts/login/", body, { Origin: `http://${EAST}` });
    const getBackups = async () => {
      const response = await olga.fetch("GET /backups/", {}, { Host: EAST });
      const text = await response.text();
      for (const secret of [at_root, path, realm.config.data, tmpdir()]) {
        expect(text).not.toContain(secret);
      }
      return JSON.parse(text);
    };
    realm.config.backup = {
      ...{ to: { directory: at_root }, recipients: [], keep: DEFAULT_KEEP },
      ...{ at_minutes: 185, with_secrets: false },
    };
    // A file replaces the backup disk, so the error contains its path.
    writeFileSync(at_root, "");
    await backUpAsSet(realm, realm.config.backup);
    const bad = await getBackups();
    expect(bad).toMatchObject({ place: null, time: "03:05", failure: { words: null }, sets: null });
    rmSync(at_root);
    await backUpAsSet(realm, realm.config.backup);
    const good = await getBackups();
    expect(good).toMatchObject({ place: null, failure: null, drill: { words: null } });
    expect(good.drill.is_good).toBe(true);
    expect(good.sets).toMatchObject([{ id: good.last.id, is_whole: true }]);
  } finally {
    await twoOrganizations.close();
    rmSync(path, { recursive: true, force: true });
  }
});
