// The account page: sessions, their expiry, and app passwords.
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  apiKeyNotFound,
  nameMissing,
  ownPasswordWrong,
  sessionNotFound,
  wrongPassword,
} from "../../src/contract/errors/people.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { issueTicket } from "../../src/features/secrets/one-time-links.ts";
import { SESSIONS_PER_USER_MAX, startSession } from "../../src/features/sessions/actions.ts";
import { purgeSessions } from "../../src/features/sessions/jobs.ts";
import { SESSION_IDLE_SECONDS, SESSION_SECONDS_MAX } from "../../src/server/caller/session.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { emailOf } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let browser: Browser;
let hash: string;
beforeEach(async () => {
  testServer = await startTestServer();
  hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => {
    for (const name of ["bo", "cy"] as const)
      tx.passwords.put({ user_id: testServer.idOf(name), hash });
  });
});
afterEach(() => testServer?.close());
beforeEach(async () => {
  browser = new Browser(testServer);
  await browser.signIn("bo");
  await browser.open("/account/");
});

const isSignedOut = async (browser: Browser) =>
  (await browser.fetch("GET /users/me")).status === 401;
const sessionsOf = (name: "bo" | "cy") =>
  testServer.realm.read.sessions.listBy("user", testServer.idOf(name));
const post = (path: string, fields: Record<string, string>) => {
  const body = new URLSearchParams({ csrfmiddlewaretoken: browser.csrf, ...fields });
  return browser.send("POST", path, body);
};

test("ends sessions one by one, or all others at once", async () => {
  const [second, third] = [new Browser(testServer), new Browser(testServer)];
  await second.signIn("bo");
  const newest = Math.max(...sessionsOf("bo").map(({ session_id }) => session_id));
  await third.signIn("bo");
  const page = await post("/account/sessions/end/", { session_id: String(newest) });
  expect(page.location).toBe("/account/");
  expect([await isSignedOut(second), await isSignedOut(third)]).toEqual([true, false]);
  await browser.open("/account/");
  await browser.submit("/account/sessions/end-others/");
  expect([await isSignedOut(third), await isSignedOut(browser)]).toEqual([true, false]);
  expect(sessionsOf("bo")).toHaveLength(1);
});

test("gives the same error for another user's session or key as for a missing one", async () => {
  const other = new Browser(testServer);
  await other.signIn("cy");
  const { session_id } = sessionsOf("cy")[0]!;
  for (const id of [session_id, 999_999]) {
    const page = await post("/account/sessions/end/", { session_id: String(id) });
    expect(page).toMatchObject({ status: 400, refusal: sessionNotFound().message });
  }
  expect(await isSignedOut(other)).toBe(false);
  const { key_id } = testServer.realm.read.api_keys.listBy("user", testServer.idOf("cy"))[0]!;
  const page = await post("/account/keys/remove/", { key_id: String(key_id) });
  expect(page.refusal).toBe(apiKeyNotFound().message);
});

test("shows an app password once, accepts it as a password, and revokes it", async () => {
  const input = { name: "Phone <1>", password: PASSWORD };
  const { text, status } = await browser.submit("/account/keys/", input);
  expect(status).toBe(200);
  const key = /<pre>(\w{32})<\/pre>/.exec(text)![1]!;
  const list = await browser.open("/account/");
  expect(list.text).toContain("Phone &lt;1&gt;");
  expect(list.text).not.toContain(key);
  const credentials = { username: "BO@example.com", password: key };
  const signedIn = await testServer.request(null, "POST /fetch_api_key", credentials);
  expect(signedIn).toMatchObject({ api_key: key, user_id: testServer.idOf("bo") });
  const credentialsOfCy = { username: emailOf("cy"), password: key };
  expect((await testServer.refused(null, "POST /fetch_api_key", credentialsOfCy)).status).toBe(401);
  const keys = testServer.realm.read.api_keys.listBy("user", testServer.idOf("bo"));
  const key_id = keys.find(({ client }) => client === "Phone <1>")!.key_id;
  await post("/account/keys/remove/", { key_id: String(key_id) });
  expect((await testServer.refused(null, "POST /fetch_api_key", credentials)).status).toBe(401);
});

test("requires the password and the name of the app to create an app password", async () => {
  const wrong = await browser.submit("/account/keys/", { name: "Phone", password: "wrong" });
  expect(wrong.refusal).toBe(ownPasswordWrong().message);
  const nameless = await browser.submit("/account/keys/", { name: " ", password: PASSWORD });
  expect(nameless.refusal).toBe(nameMissing().message);
});

test("changes the password, and revokes other keys only if requested", async () => {
  const countOwnKeys = () =>
    testServer.realm.read.api_keys.listBy("user", testServer.idOf("bo")).length;
  const other = new Browser(testServer);
  await other.signIn("bo");
  await browser.open("/account/");
  const next = `${PASSWORD} next`;
  const wrong = await browser.submit("/account/password/", {
    old_password: "x",
    new_password: next,
  });
  expect(wrong.refusal).toBe(wrongPassword().message);
  const before = countOwnKeys();
  const change = { old_password: PASSWORD, new_password: next };
  const form = new URLSearchParams({ ...change, csrfmiddlewaretoken: browser.csrf });
  expect((await browser.send("POST", "/account/password/", form)).location).toBe("/account/");
  expect([countOwnKeys(), await isSignedOut(browser), await isSignedOut(other)]).toEqual([
    before,
    false,
    true,
  ]);
  expect(before).toBeGreaterThan(0);
  const previousParams = { old_password: next, new_password: PASSWORD, end_api_keys: "true" };
  await post("/account/password/", previousParams);
  expect([countOwnKeys(), await isSignedOut(browser)]).toEqual([0, false]);
  const { api_key } = await browser.request("POST /fetch_api_key", { password: PASSWORD });
  await browser.request("POST /fetch_api_key", { password: PASSWORD });
  const Authorization = `Basic ${btoa(`bo@example.com:${api_key}`)}`;
  const body = new URLSearchParams({
    ...change,
    end_api_keys: "true",
  });
  const url = `${testServer.url}/api/v1/settings`;
  const response = await fetch(url, { method: "PATCH", headers: { Authorization }, body });
  expect([response.status, countOwnKeys(), await isSignedOut(browser)]).toEqual([200, 1, true]);
  await testServer.realm.write((tx) => tx.passwords.put({ user_id: testServer.idOf("bo"), hash }));
});

test("lets a page's script request a key with the password", async () => {
  const line = "POST /fetch_api_key";
  expect((await browser.refused(line, { password: "wrong" })).msg).toBe(ownPasswordWrong().message);
  const { api_key, email } = await browser.request(line, { password: PASSWORD });
  const Authorization = `Basic ${btoa(`${email}:${api_key}`)}`;
  const response = await fetch(`${testServer.url}/api/v1/users/me`, { headers: { Authorization } });
  expect(response.status).toBe(200);
  expect((await testServer.send(null, "POST //json/fetch_api_key")).status).toBe(401);
});

test("extends a used session, ends an unused one, and ends any at its maximum age", async () => {
  const idle = new Browser(testServer);
  await idle.signIn("cy");
  const half = SESSION_IDLE_SECONDS / 2 + 1;
  testServer.clock.passSeconds(half);
  expect(await isSignedOut(browser)).toBe(false);
  await testServer.untilIdle();
  testServer.clock.passSeconds(half);
  expect([await isSignedOut(idle), await isSignedOut(browser)]).toEqual([true, false]);
  await testServer.realm.write((tx) => issueTicket(tx, "x", null, 1));
  testServer.clock.passSeconds(1);
  await purgeSessions(testServer.realm);
  expect(testServer.realm.read.tickets.count()).toBe(0);
  expect(sessionsOf("cy")).toEqual([]);
  for (let index = 0; index * half < SESSION_SECONDS_MAX; index++) {
    await testServer.untilIdle();
    testServer.clock.passSeconds(half);
    await browser.fetch("GET /users/me");
  }
  expect(await isSignedOut(browser)).toBe(true);
});

test("removes the longest unused session at the limit, or the newest of a burst", async () => {
  const user = testServer.realm.read.users.get(testServer.idOf("bo"))!;
  const start = (count: number, ago: number) =>
    testServer.realm.write((tx) => {
      for (let index = 0; index < count; index++) {
        startSession(tx, user, { user_agent: "x", method: "Email" });
        const sessions = tx.sessions
          .listBy("user", user.user_id)
          .sort((a, b) => b.session_id - a.session_id);
        const created = tx.now - ago;
        tx.sessions.put({ ...sessions[0]!, created, last_used: created });
      }
    });
  const own = Math.max(...sessionsOf("bo").map(({ session_id }) => session_id));
  await start(2 * SESSIONS_PER_USER_MAX, 0);
  expect(sessionsOf("bo")).toHaveLength(SESSIONS_PER_USER_MAX);
  expect(await isSignedOut(browser)).toBe(false);
  await testServer.realm.write((tx) => {
    for (const session of tx.sessions.listBy("user", user.user_id)) {
      const last_used = tx.now - (session.session_id === own ? 99 : 9);
      tx.sessions.put({ ...session, created: tx.now - 9_000, last_used });
    }
  });
  await start(1, 0);
  expect(await isSignedOut(browser)).toBe(true);
});
