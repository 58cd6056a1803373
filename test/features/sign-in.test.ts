// Signing in with a password in the browser.
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  addressOrPasswordWrong,
  emailNotAnAddress,
  originForeign,
  signInDeactivated,
} from "../../src/contract/errors/people.ts";
import { hashPassword, verifyPassword } from "../../src/features/passwords/hash.ts";
import { Browser, FORM_OUTDATED, PASSWORD } from "../browser.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer({ rate_limits: true });
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => {
    for (const name of ["bo", "cy", "mo", "ada"] as const) {
      tx.passwords.put({ user_id: testServer.idOf(name), hash });
    }
  });
});
afterEach(() => testServer?.close());

const typed = { username: "bo@example.com", password: PASSWORD };

const FAR_HEADERS = { "X-Forwarded-For": "203.0.113.9" };

test("shows the signed-in user and the server's address for apps", async () => {
  const browser = new Browser(testServer);
  const page = await browser.signIn("bo");
  expect(page).toMatchObject({ status: 302, location: "/" });
  const { status, text } = await browser.open("/account/");
  expect(status).toBe(200);
  for (const part of ["Bo Member", "bo@example.com", testServer.url, "This browser"]) {
    expect(text).toContain(part);
  }
  expect(await browser.open("/login/")).toMatchObject({ status: 302, location: "/" });
  expect(await browser.open("/")).toMatchObject({ status: 200, location: null });
});

test("sets host-only cookies, of which scripts see only the CSRF token", async () => {
  const page = await new Browser(testServer).signIn("bo");
  const [session = "", csrf = ""] = page.headers.getSetCookie();
  expect(session).toMatch(/^sessionid=[\w-]{43}; Path=\/; Max-Age=\d+; SameSite=Lax; HttpOnly$/);
  expect(csrf).toMatch(/^csrftoken=[\w-]{43}; Path=\/; Max-Age=\d+; SameSite=Lax$/);
  const storedJson = JSON.stringify([...testServer.realm.read.sessions.range()]);
  expect(storedJson).not.toContain(/=([\w-]+)/.exec(session)![1]!);
});

test("runs only scripts of this server, and loads nothing external", async () => {
  const browser = new Browser(testServer);
  for (const path of ["/login/", "/accounts/login/", "/accounts/go/"]) {
    const { headers, text, location } = await browser.open(path);
    if (location !== null) continue;
    const policy = headers.get("content-security-policy");
    expect(policy).toStartWith("default-src 'none'; script-src 'self'; connect-src 'self'; ");
    expect(policy).toContain("style-src 'self'; img-src 'self' data:; ");
    expect(policy).toContain("form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
    expect(headers.get("cache-control")).toBe("no-store");
    for (const [, script] of text.matchAll(/<script([^>]*)>/g)) {
      expect(script).toContain('src="/signed-out.js"');
    }
    expect(text).not.toContain("<style");
    expect(text).not.toContain("style=");
    const [, sheet] = /<link rel="stylesheet" href="([^"]+)">/.exec(text)!;
    const style = await browser.send("GET", sheet!);
    expect(style.headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(style.headers.get("cache-control")).toContain("immutable");
  }
  expect((await testServer.send(null, "GET //static/pages-0000.css")).status).toBe(404);
});

test("shows the organization's icon if it has one", async () => {
  const browser = new Browser(testServer);
  expect((await browser.open("/login/")).text).toContain('<svg class="mark"');
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...realm.settings, icon_file: "realm/x.webp" } });
  });
  expect((await browser.open("/login/")).text).toContain('src="/user_avatars/1/realm/x.webp');
});

test("answers a wrong password and an unknown address in the same way", async () => {
  const browser = new Browser(testServer);
  await browser.open("/login/");
  const signInWithWrongPassword = async (username: string) => {
    const page = await browser.submit("/accounts/login/", { username, password: "wrong" });
    return { ...page, headers: undefined, text: page.text.replaceAll(username, "") };
  };
  const unknown = await signInWithWrongPassword("who@example.com");
  expect(unknown).toMatchObject({ status: 401, refusal: addressOrPasswordWrong().message });
  expect(await signInWithWrongPassword("cy@example.com")).toEqual(unknown);
  const nobody = await browser.submit("/accounts/login/", { username: "bo", password: "x" });
  expect(nobody.refusal).toBe(emailNotAnAddress().message);
  expect(nobody.text).toContain('value="bo"');
});

test("reveals a deactivated account only with the right password", async () => {
  await testServer.request("olga", `DELETE /users/${testServer.idOf("mo")}`);
  expect((await new Browser(testServer).signIn("mo")).refusal).toBe(signInDeactivated().message);
});

test("counts failed attempts of browsers and apps together", async () => {
  const browser = new Browser(testServer, FAR_HEADERS);
  const username = "ada@example.com";
  const signInByApp = async (password: string) => {
    const body = new URLSearchParams({ username, password });
    const params = { method: "POST", headers: FAR_HEADERS, body };
    return (await fetch(`${testServer.url}/api/v1/fetch_api_key`, params)).json();
  };
  for (let index = 0; index < 4; index++) {
    await browser.open("/login/");
    await browser.submit("/accounts/login/", { username, password: "wrong" });
  }
  await signInByApp("wrong");
  const page = await browser.signIn("ada");
  expect(page).toMatchObject({ status: 429 });
  expect(page.refusal).toMatch(/^Too many failed attempts\. Try again in \d+ minutes\.$/);
  expect(await signInByApp(PASSWORD)).toMatchObject({ code: "RATE_LIMIT_HIT" });
  testServer.clock.passSeconds(1801);
  expect((await browser.signIn("ada")).location).toBe("/");
});

test("does not block the machine itself because of attempts elsewhere", async () => {
  const username = "cy@example.com";
  const body = () => new URLSearchParams({ username, password: "wrong" });
  const url = `${testServer.url}/api/v1/fetch_api_key`;
  const signInFromFar = () => fetch(url, { method: "POST", headers: FAR_HEADERS, body: body() });
  for (let index = 0; index < 5; index++) expect((await signInFromFar()).status).toBe(401);
  expect((await signInFromFar()).status).toBe(429);
  expect((await new Browser(testServer).signIn("cy")).location).toBe("/");
});

test("redirects only to pages of this server after a sign-in", async () => {
  const ownPaths = ["/account/?x=1#y", "/accounts/logout/"];
  for (const next of ownPaths) {
    const page = await new Browser(testServer).signIn("bo", `?next=${encodeURIComponent(next)}`);
    expect(page.location).toBe(next);
  }
  const outside = [
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
  ];
  for (const next of [...outside, "javascript:alert(1)", "/..//evil.example", "evil"]) {
    const page = await new Browser(testServer).signIn("bo", `?next=${encodeURIComponent(next)}`);
    expect(page.location).toBe("/");
  }
});

test("replaces an existing session with a new one at sign-in", async () => {
  const attacker = new Browser(testServer);
  await attacker.signIn("cy");
  const victim = new Browser(testServer);
  for (const [name, value] of attacker.cookies) victim.cookies.set(name, value);
  const before = victim.cookies.get("sessionid");
  await victim.open("/accounts/logout/");
  await victim.open("/account/");
  const csrf = { csrfmiddlewaretoken: victim.csrf };
  await victim.send("POST", "/login/", new URLSearchParams({ ...typed, ...csrf }));
  expect(victim.cookies.get("sessionid")).not.toBe(before);
  expect((await victim.request("GET /users/me")).email).toBe("bo@example.com");
  expect((await attacker.refused("GET /users/me")).status).toBe(401);
  const browser = new Browser(testServer);
  browser.cookies.set("sessionid", "A".repeat(43));
  await browser.signIn("bo");
  expect(browser.cookies.get("sessionid")).not.toBe("A".repeat(43));
});

test("rejects forms of other sites", async () => {
  const browser = new Browser(testServer);
  await browser.open("/login/");
  const post = (fields: Record<string, string>, headers = {}) =>
    browser.send("POST", "/login/", new URLSearchParams({ ...typed, ...fields }), headers);
  expect(await post({})).toMatchObject({ status: 403, refusal: FORM_OUTDATED });
  const wrong = await post({ csrfmiddlewaretoken: "x" });
  expect(wrong).toMatchObject({ status: 403, refusal: FORM_OUTDATED });
  const right = { csrfmiddlewaretoken: browser.csrf };
  for (const Origin of ["https://evil.example", "null"]) {
    expect((await post(right, { Origin })).refusal).toBe(originForeign().message);
  }
  expect((await post(right, { Origin: testServer.url })).location).toBe("/");
});

test.each(["nonsense", "$2a$10$short", "$argon2id$v=19$m=0,t=0,p=0$a$b"])(
  "the malformed hash %p verifies no password",
  async (hash) => expect(await verifyPassword(PASSWORD, hash)).toBe(false),
);
