// Permissions of a browser session, and its end.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Refusal, badEventQueueId } from "../../src/contract/errors/general.ts";
import {
  csrfTokenMissing,
  csrfTokenWrong,
  noSession,
  originForeign,
  originMissing,
} from "../../src/contract/errors/people.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { Browser, FORM_OUTDATED, PASSWORD } from "../browser.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let browser: Browser;
beforeEach(async () => {
  testServer = await startTestServer();
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => {
    for (const name of ["bo", "cy", "mo", "gus", "ada"] as const) {
      tx.passwords.put({ user_id: testServer.idOf(name), hash });
    }
  });
});
afterEach(() => testServer?.close());
beforeEach(async () => {
  browser = new Browser(testServer);
  await browser.signIn("bo");
});

const errorBody = ({ status, message: msg, errCode: code, extra }: Refusal) => ({
  ...{ status, msg, code },
  ...extra,
});
const isSignedOut = async (item = browser) => (await item.fetch("GET /users/me")).status === 401;

test("answers requests of a session under /json like those of a key", async () => {
  expect((await browser.request("GET /users/me")).user_id).toBe(testServer.idOf("bo"));
  const message = { type: "direct", to: [testServer.idOf("cy")], content: "hello" };
  const { id } = await browser.request("POST /messages", message);
  expect((await testServer.request("cy", `GET /messages/${id}`)).message.content).toBe(
    "<p>hello</p>",
  );
  await browser.request("PATCH /settings", { timezone: "Europe/Paris" });
  await browser.request("POST /settings", { method: "PATCH", timezone: "Europe/Rome" });
  const { device_id } = await browser.request("POST /register_client_device");
  await browser.request("POST /remove_client_device", { device_id });
  const { api_keys } = await browser.request("GET /users/me/api_keys");
  expect(api_keys.some((key: { current: boolean }) => key.current)).toBe(false);
});

test("has no /json variant of endpoints for keys, and accepts no cookie as a key", async () => {
  for (const line of ["GET /server_settings", "POST /users/me/api_key/regenerate"]) {
    expect((await browser.refused(line)).status).toBe(404);
  }
  const Cookie = `sessionid=${browser.cookies.get("sessionid")}`;
  const response = await fetch(`${testServer.url}/api/v1/users/me`, { headers: { Cookie } });
  expect(response.status).toBe(401);
  const Authorization = testServer.basicAuthorization("bo");
  const keyed = await fetch(`${testServer.url}/json/users/me`, { headers: { Authorization } });
  expect(keyed.status).toBe(401);
  expect(keyed.headers.get("www-authenticate")).toBe('Session realm="zulip"');
  const { message: msg, errCode: code } = noSession();
  expect(await keyed.json()).toEqual({ result: "error", msg, code });
});

test("serves pages and files in a session too", async () => {
  const path = `//avatar/${testServer.idOf("bo")}`.slice(1);
  expect((await browser.open(path)).status).toBe(302);
  expect(await new Browser(testServer).open("/account/")).toMatchObject({
    status: 302,
    location: "/login/?next=%2Faccount%2F",
  });
});

test("requires the session's token for changes", async () => {
  const line = "PATCH /settings";
  const refusedWith = (headers: Record<string, string>) => browser.refused(line, {}, headers);
  expect(await refusedWith({ "X-CSRFToken": "" })).toMatchObject(errorBody(csrfTokenMissing()));
  expect(await refusedWith({ "X-CSRFToken": "wrong" })).toMatchObject(errorBody(csrfTokenWrong()));
  const other = new Browser(testServer);
  await other.signIn("cy");
  const otherCsrf = { "X-CSRFToken": other.csrf };
  expect(await refusedWith(otherCsrf)).toMatchObject(errorBody(csrfTokenWrong()));
  const planted = {
    ...otherCsrf,
    Cookie: `sessionid=${browser.cookies.get("sessionid")}; csrftoken=${other.csrf}`,
  };
  expect(await refusedWith(planted)).toMatchObject(errorBody(csrfTokenWrong()));
  const foreign = { Origin: "https://evil.example" };
  expect(await refusedWith(foreign)).toMatchObject(errorBody(originForeign()));
  expect((await browser.fetch(line, {}, { Origin: testServer.url })).status).toBe(200);
  const field = { csrfmiddlewaretoken: browser.csrf };
  const body = (await (await browser.fetch(line, field, { "X-CSRFToken": "" })).json()) as object;
  expect(body).toMatchObject({ result: "success" });
  expect(body).not.toHaveProperty("ignored_parameters_unsupported");
});

test("rejects a form with an unknown token and no cookie", async () => {
  for (const csrfmiddlewaretoken of ["x", "undefined", browser.csrf, "x".repeat(43)]) {
    const outsider = new Browser(testServer);
    const typed = { username: "bo@example.com", password: PASSWORD, csrfmiddlewaretoken };
    const page = await outsider.send("POST", "/accounts/login/", new URLSearchParams(typed));
    expect(page).toMatchObject({ status: 403, refusal: FORM_OUTDATED });
    expect(page.headers.getSetCookie().join()).not.toContain("sessionid");
  }
});

test("binds cookies to the host over https, and requires a Referer or Origin", async () => {
  const url = "https://chat.example.com";
  const secure = await startTestServer({ url });
  try {
    const hash = await hashPassword(PASSWORD);
    const user_id = secure.idOf("bo");
    await secure.realm.write((tx) => tx.passwords.put({ user_id, hash }));
    const own = new Browser(secure);
    await own.open("/login/");
    const csrfmiddlewaretoken = own.cookies.get("__Host-csrftoken")!;
    const typed = { username: "bo@example.com", password: PASSWORD, csrfmiddlewaretoken };
    const post = (headers: Record<string, string>) =>
      own.send("POST", "/login/", new URLSearchParams(typed), headers);
    expect((await post({})).refusal).toBe(originMissing().message);
    const insecure = { Referer: "http://chat.example.com/login/" };
    expect((await post(insecure)).refusal).toBe(originForeign().message);
    const page = await post({ Referer: `${url}/login/` });
    expect(page.location).toBe("/");
    for (const cookie of page.headers.getSetCookie()) {
      expect(cookie).toMatch(/^__Host-\w+=[\w+/=-]+; Path=\/; .*; Secure$/);
      expect(cookie).not.toContain("Domain");
    }
  } finally {
    await secure.close();
  }
});

test("rejects a cookie of another organization", async () => {
  const otherServer = await startTestServer();
  try {
    const guest = new Browser(otherServer);
    for (const [name, value] of browser.cookies) guest.cookies.set(name, value);
    expect(await isSignedOut(guest)).toBe(true);
    expect((await guest.open("/account/")).location).toContain("/login/");
  } finally {
    await otherServer.close();
  }
});

test("ends the session at sign-out", async () => {
  const { cookies } = browser;
  const stolen = new Browser(testServer);
  for (const [name, value] of cookies) stolen.cookies.set(name, value);
  await browser.open("/accounts/logout/");
  const page = await browser.submit("/accounts/logout/");
  expect(page).toMatchObject({ status: 302, location: "/login/" });
  expect([...cookies.keys()]).toEqual(["known"]);
  expect(await isSignedOut(stolen)).toBe(true);
  expect((await browser.open("/accounts/logout/")).location).toBe("/login/");
  const tokenless = await stolen.send("POST", "/accounts/logout/", new URLSearchParams());
  expect(tokenless.location).toContain("/login/");
});

test("requires the user's token to sign a user out", async () => {
  const page = await browser.send("POST", "/accounts/logout/", new URLSearchParams());
  expect(page.status).toBe(403);
  expect(await isSignedOut()).toBe(false);
});

/** Returns the response to a poll that waits while `end` runs, and to the next request. */
async function pollOver(end: () => Promise<unknown>) {
  const { queue_id, last_event_id } = await browser.request("POST /register", {
    event_types: ["x"],
  });
  const heldPoll = browser.fetch("GET /events", { queue_id, last_event_id });
  while (testServer.realm.hub.find(queue_id, testServer.idOf("bo"))?.parked === undefined)
    await Bun.sleep(1);
  await end();
  await heldPoll;
  expect(testServer.realm.hub.find(queue_id, testServer.idOf("bo"))).toBeUndefined();
  return queue_id as string;
}

test("ends an open poll and its queue with the session", async () => {
  const queue_id = await pollOver(async () => {
    await browser.open("/account/");
    await browser.submit("/accounts/logout/");
  });
  const refusal = await testServer.refused("bo", "GET /events", { queue_id, last_event_id: -1 });
  expect(refusal).toMatchObject(errorBody(badEventQueueId(queue_id)));
});

test("accepts polls of a queue only with the credentials that registered it", async () => {
  const { queue_id } = await browser.request("POST /register");
  const params = { queue_id, last_event_id: -1, dont_block: true };
  const refusal = errorBody(badEventQueueId(queue_id));
  expect(await testServer.refused("bo", "GET /events", params)).toMatchObject(refusal);
  expect(await testServer.refused("bo", "DELETE /events", { queue_id })).toMatchObject(refusal);
  const second = new Browser(testServer);
  await second.signIn("bo");
  expect(await second.refused("GET /events", params)).toMatchObject(refusal);
  await browser.request("GET /events", params);
  const keyed = await testServer.request("bo", "POST /register");
  const paramsOfKey = { ...params, queue_id: keyed.queue_id };
  expect(await browser.refused("GET /events", paramsOfKey)).toMatchObject(
    errorBody(badEventQueueId(keyed.queue_id)),
  );
  await browser.request("DELETE /events", { queue_id });
});

test("ends all other sessions at a password change", async () => {
  const other = new Browser(testServer);
  await other.signIn("bo");
  const expected = { old_password: PASSWORD, new_password: "wrong battery horse" };
  await browser.request("PATCH /settings", expected);
  expect([await isSignedOut(), await isSignedOut(other)]).toEqual([false, true]);
  await pollOver(async () => {
    const previousParams = { old_password: expected.new_password, new_password: PASSWORD };
    await testServer.request("bo", "PATCH /settings", previousParams);
  });
  expect(await isSignedOut()).toBe(true);
});

test("ends sessions at deactivation of the user or the organization", async () => {
  const leavingBrowser = new Browser(testServer);
  await leavingBrowser.signIn("gus");
  await testServer.request("olga", `DELETE /users/${testServer.idOf("gus")}`);
  expect(await isSignedOut(leavingBrowser)).toBe(true);
  await testServer.request("olga", `POST /users/${testServer.idOf("gus")}/reactivate`);
  expect(await isSignedOut(leavingBrowser)).toBe(true);
  await pollOver(() => testServer.request("olga", "POST /realm/deactivate"));
  expect((await browser.open("/login/")).status).toBe(410);
  await testServer.realm.write((tx) => tx.deactivations.delete(1));
  expect(await isSignedOut()).toBe(true);
  expect(testServer.realm.read.sessions.count()).toBe(0);
});

/** Requests that users send on their own pages. */
const OWN = [
  ...["POST //accounts/logout/", "POST //accounts/login/app/"],
  ...["POST //account/sessions/end/", "POST //account/sessions/end-others/"],
  ...["POST //account/keys/", "POST //account/keys/remove/", "POST //json/fetch_api_key"],
  "POST //account/password/",
  ...["POST //account/app/", "POST //account/app/confirm/", "POST //account/app/remove/"],
  ...["POST //account/recovery/", "POST //account/passkeys/", "POST //account/passkeys/options/"],
  "POST //account/passkeys/remove/",
];

test.each(OWN)("%s requires a session and the token", async (line) => {
  expect((await testServer.send(null, line)).status).toBe(401);
  const path = line.slice("POST /".length);
  const tokenless = await browser.send("POST", path, new URLSearchParams());
  const received = path.startsWith("/json") ? "CSRF_FAILED" : FORM_OUTDATED;
  expect([tokenless.status, tokenless.text]).toEqual([403, expect.stringContaining(received)]);
});

/** Requests that anyone can send from a page of this server. */
const OPEN = [
  "POST //accounts/login/app/confirm/",
  ...["POST //login/", "POST //accounts/login/", "POST //accounts/login/second-factor/"],
  ...["POST //accounts/login/passkey/", "POST //accounts/login/passkey/options/"],
  "POST //accounts/join/x/",
];

test.each(OPEN)("%s does nothing without the token or the previous step", async (line) => {
  const { status, headers } = await testServer.send(null, line, { username: "bo@example.com" });
  expect([400, 403, 410]).toContain(status);
  expect(headers.getSetCookie().join()).not.toContain("sessionid");
});

test("pages without changes are public, except those of the account", async () => {
  const lines = ["GET //login/", "GET //accounts/login/", "GET //accounts/go/", "GET //"];
  for (const line of [...lines, "GET //accounts/logout/"]) {
    expect((await testServer.send(null, line)).status).toBe(200);
  }
  expect((await testServer.send(null, "GET //account/")).status).toBe(401);
  expect((await testServer.send(null, "GET //accounts/join/x/")).status).toBe(410);
});
