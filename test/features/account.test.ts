// The account page: sessions and app passwords, and what time does to sessions.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import {
  apiKeyNotFound,
  nameMissing,
  ownPasswordWrong,
  sessionNotFound,
} from "../../src/errors-people.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { issueTicket } from "../../src/features/realm/tickets.ts";
import { SESSIONS_PER_USER_MAX, startSession } from "../../src/features/sessions/actions.ts";
import { purgeSessions } from "../../src/features/sessions/later.ts";
import { SESSION_IDLE_SECONDS, SESSION_SECONDS_MAX } from "../../src/server/session.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { emailOf } from "../cast.ts";
import { openTown, type Town } from "../town.ts";

let town: Town;
let browser: Browser;
beforeAll(async () => {
  town = await openTown();
  const hash = await hashPassword(PASSWORD);
  await town.realm.write((tx) => {
    for (const name of ["bo", "cy"] as const) tx.passwords.put({ user_id: town.idOf(name), hash });
  });
});
afterAll(() => town?.close());
beforeEach(async () => {
  browser = new Browser(town);
  await browser.signIn("bo");
  await browser.open("/account/");
});

const isOut = async (one: Browser) => (await one.fetch("GET /users/me")).status === 401;
const sessionsOf = (name: "bo" | "cy") => town.realm.read.sessions.by("user", town.idOf(name));
const post = (path: string, fields: Record<string, string>) => {
  const body = new URLSearchParams({ csrfmiddlewaretoken: browser.csrf, ...fields });
  return browser.send("POST", path, body);
};

test("sessions are ended one by one, or all others at once", async () => {
  const [second, third] = [new Browser(town), new Browser(town)];
  await second.signIn("bo");
  const newest = Math.max(...sessionsOf("bo").map(({ session_id }) => session_id));
  await third.signIn("bo");
  const page = await post("/account/sessions/end/", { session_id: String(newest) });
  expect(page.location).toBe("/account/");
  expect([await isOut(second), await isOut(third)]).toEqual([true, false]);
  await browser.open("/account/");
  await browser.submit("/account/sessions/end-others/");
  expect([await isOut(third), await isOut(browser)]).toEqual([true, false]);
  expect(sessionsOf("bo")).toHaveLength(1);
});

test("nobody ends what is another's, nor learns whether it is there", async () => {
  const other = new Browser(town);
  await other.signIn("cy");
  const { session_id } = sessionsOf("cy")[0]!;
  for (const id of [session_id, 999_999]) {
    const page = await post("/account/sessions/end/", { session_id: String(id) });
    expect(page).toMatchObject({ status: 400, refusal: sessionNotFound().message });
  }
  expect(await isOut(other)).toBe(false);
  const { key_id } = town.realm.read.api_keys.by("user", town.idOf("cy"))[0]!;
  const page = await post("/account/keys/remove/", { key_id: String(key_id) });
  expect(page.refusal).toBe(apiKeyNotFound().message);
});

test("an app password is shown once, is taken for a password, and can be revoked", async () => {
  const given = { name: "Phone <1>", password: PASSWORD };
  const { text, status } = await browser.submit("/account/keys/", given);
  expect(status).toBe(200);
  const key = /<pre>(\w{32})<\/pre>/.exec(text)![1]!;
  const list = await browser.open("/account/");
  expect(list.text).toContain("Phone &lt;1&gt;");
  expect(list.text).not.toContain(key);
  const typed = { username: "BO@example.com", password: key };
  const signedIn = await town.ask(null, "POST /fetch_api_key", typed);
  expect(signedIn).toMatchObject({ api_key: key, user_id: town.idOf("bo") });
  const theirs = { username: emailOf("cy"), password: key };
  expect((await town.refused(null, "POST /fetch_api_key", theirs)).status).toBe(401);
  const keys = town.realm.read.api_keys.by("user", town.idOf("bo"));
  const key_id = keys.find(({ client }) => client === "Phone <1>")!.key_id;
  await post("/account/keys/remove/", { key_id: String(key_id) });
  expect((await town.refused(null, "POST /fetch_api_key", typed)).status).toBe(401);
});

test("who makes an app password knows the password, and names the app", async () => {
  const wrong = await browser.submit("/account/keys/", { name: "Phone", password: "wrong" });
  expect(wrong.refusal).toBe(ownPasswordWrong().message);
  const nameless = await browser.submit("/account/keys/", { name: " ", password: PASSWORD });
  expect(nameless.refusal).toBe(nameMissing().message);
});

test("a script of the page asks for a key with the password", async () => {
  const line = "POST /fetch_api_key";
  expect((await browser.refused(line, { password: "wrong" })).msg).toBe(ownPasswordWrong().message);
  const { api_key, email } = await browser.ask(line, { password: PASSWORD });
  const Authorization = `Basic ${btoa(`${email}:${api_key}`)}`;
  const asked = await fetch(`${town.url}/api/v1/users/me`, { headers: { Authorization } });
  expect(asked.status).toBe(200);
  expect((await town.send(null, "POST //json/fetch_api_key")).status).toBe(401);
});

test("a session that is used goes on, one that is not ends, and none is for ever", async () => {
  const idle = new Browser(town);
  await idle.signIn("cy");
  const half = SESSION_IDLE_SECONDS / 2 + 1;
  town.clock.pass(half);
  expect(await isOut(browser)).toBe(false);
  await town.quiet();
  town.clock.pass(half);
  expect([await isOut(idle), await isOut(browser)]).toEqual([true, false]);
  await town.realm.write((tx) => issueTicket(tx, "x", null, 1));
  town.clock.pass(1);
  await purgeSessions(town.realm);
  expect(town.realm.read.tickets.count()).toBe(0);
  expect(sessionsOf("cy")).toEqual([]);
  for (let at = 0; at * half < SESSION_SECONDS_MAX; at++) {
    await town.quiet();
    town.clock.pass(half);
    await browser.fetch("GET /users/me");
  }
  expect(await isOut(browser)).toBe(true);
});

test("the session that was unused longest makes room", async () => {
  const user = town.realm.read.users.get(town.idOf("bo"))!;
  await town.realm.write((tx) => {
    for (const session of tx.sessions.by("user", user.user_id)) {
      tx.sessions.put({ ...session, last_used: tx.now - 9 });
    }
    for (let at = 0; at < SESSIONS_PER_USER_MAX; at++) {
      startSession(tx, user, { user_agent: "x", method: "Email" });
    }
  });
  expect(sessionsOf("bo")).toHaveLength(SESSIONS_PER_USER_MAX);
  expect(await isOut(browser)).toBe(true);
});
