// The doctor in the browser: only owners see the state of the server.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkAll } from "../../src/features/doctor/check.ts";
import { examine } from "../../src/features/doctor/run-checks.ts";
import { EAST, startTwoOrganizations } from "../two-organizations.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { emailOf, type Name } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeAll(async () => {
  testServer = await startTestServer();
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => {
    for (const { user_id } of tx.users.range()) tx.passwords.put({ user_id, hash });
  });
});
afterAll(() => testServer.close());

test("rejects users who are not owners, and API keys", async () => {
  for (const name of ["ada", "bo", "gus"] as Name[]) {
    const browser = new Browser(testServer);
    await browser.signIn(name);
    expect(await browser.refused("GET /doctor/")).toMatchObject({ code: "UNAUTHORIZED_PRINCIPAL" });
  }
  for (const name of ["olga", "bo", null] as (Name | null)[]) {
    expect((await testServer.send(name, "GET //json/doctor/")).status).toBe(401);
  }
});

test.each([
  ["ENOSPC", "the disk is full", "fix the cause, and try again"],
  ["EACCES", "permission denied", "check the permissions of the server's account, and try again"],
])("reports why a check failed with %s, and a remedy for it", async (code, words, remedy) => {
  const run = () => {
    throw Object.assign(new Error(code), { code, path: "/data/x", syscall: "write" });
  };
  const checks = [{ id: "directory.fsync", run } as const];
  const [result] = await checkAll(checks, {}, { only: [], fix: false, mend: false });
  const message = `This could not be checked: Cannot write /data/x: ${words}.`;
  expect(result).toMatchObject({ state: "fail", message, remedy });
});

test("returns each check with its remedy to an owner", async () => {
  const olga = new Browser(testServer);
  await olga.signIn("olga");
  const [quick, repeated] = await Promise.all([
    olga.request("GET /doctor/"),
    olga.request("GET /doctor/"),
  ]);
  const ids = quick.checks.map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain("operations.backup");
  expect(ids).toContain("directory.owner");
  expect(ids).not.toContain("database.search");
  const sample = quick.checks.find(({ id }: { id: string }) => id === "database.rows");
  expect(sample).toMatchObject({ state: "ok", message: expect.stringContaining("sample") });
  expect(repeated.checks.map(({ id }: { id: string }) => id)).toEqual(ids);
  const [thorough, concurrent] = await Promise.all([
    olga.request("GET /doctor/", { only: "database,security", quick: false }),
    olga.request("GET /doctor/", { only: "database", quick: false }),
  ]);
  expect(concurrent.checks.map(({ id }: { id: string }) => id)).toContain("database.rows");
  expect(concurrent.checks.every(({ state }: { state: string }) => state === "ok")).toBe(true);
  expect(thorough.checks[0]).toMatchObject({ id: "database.writes", state: "ok", remedy: null });
  const rows = thorough.checks.find(({ id }: { id: string }) => id === "database.rows");
  expect(rows).toMatchObject({ state: "ok", is_repaired: false });
  const refusal = await olga.refused("GET /doctor/", { only: "weather" });
  expect(refusal).toMatchObject({ code: "BAD_REQUEST" });
});

test("rejects unknown nonces", async () => {
  const response = await testServer.send(
    null,
    `GET //.well-known/skein-check/${crypto.randomUUID()}`,
  );
  expect(response.status).toBe(404);
});

test("shows the owner of one of several organizations only that one, not the server", async () => {
  const twoOrganizations = await startTwoOrganizations();
  try {
    const { realm } = twoOrganizations.east;
    const { data } = realm.config;
    const hash = await hashPassword(PASSWORD);
    await realm.write((tx) => {
      for (const { user_id } of tx.users.range()) tx.passwords.put({ user_id, hash });
      // A failed check names the file that it read.
      const file = { name: "a", size: 1, content_type: "text/plain", create_time: 0, image: null };
      const address = `1/aa/${"b".repeat(24)}/a.txt`;
      tx.attachments.put({ id: 1, user_id: 8, path_id: address, unused_since: null, ...file });
    });
    rmSync(join(data, "uploads"), { recursive: true, force: true });
    writeFileSync(join(data, "uploads"), "");
    const checkOptions = { is_serving: true, is_quick: true, is_deep: false, hold_seconds: 0 };
    const all = await examine(realm, { only: [], fix: false, mend: false, ...checkOptions });
    const ids = all.map(({ id }) => id);
    for (const id of ["directory.owner", "operations.backup", "mail.server", "database.space"]) {
      expect(ids).toContain(id);
    }
    expect(all.find(({ id }) => id === "database.files")!.message).toContain(data);

    const olga = new Browser(twoOrganizations, { Host: EAST });
    await olga.open("/login/");
    const fields = { username: emailOf("olga"), password: PASSWORD };
    const body = new URLSearchParams({ csrfmiddlewaretoken: olga.csrf, ...fields });
    await olga.send("POST", "/accounts/login/", body, { Origin: `http://${EAST}` });
    for (const quick of [true, false]) {
      const response = await olga.fetch("GET /doctor/", { quick }, { Host: EAST });
      const text = await response.text();
      expect(response.status).toBe(200);
      const { checks } = JSON.parse(text) as { checks: { id: string }[] };
      const received = checks.map(({ id }) => id);
      expect(received).toContain("database.files");
      expect(received).toContain("security.owners");
      expect(
        received.filter((id) => !/^(database|security|outbound|network\.url)/.test(id)),
      ).toEqual([]);
      expect(received).not.toContain("database.space");
      expect(received).not.toContain("security.account");
      for (const secret of [data, "west.example", "/tmp", "uploads"])
        expect(text).not.toContain(secret);
    }
  } finally {
    await twoOrganizations.close();
  }
});
