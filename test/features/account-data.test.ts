// The account page's JSON endpoints for scripts apply the same checks as the page.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { Secret, TOTP } from "otpauth";
import { ownPasswordWrong } from "../../src/contract/errors/people.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { Authenticator } from "../authenticator.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let browser: Browser;
beforeAll(async () => {
  testServer = await startTestServer();
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => {
    for (const name of ["bo", "cy"] as const)
      tx.passwords.put({ user_id: testServer.idOf(name), hash });
  });
});
afterAll(() => testServer?.close());
beforeEach(async () => {
  browser = new Browser(testServer);
  await browser.signIn("bo");
});

const password = PASSWORD;
/** A browser with shorthand for the addresses of the page's script. */
const unsentKey = (browser: Browser) => ({
  ask: (line: string, params: Params = {}) => browser.request(line.replace("//json", ""), params),
  refused: (line: string, params: Params = {}) =>
    browser.refused(line.replace("//json", ""), params),
  fetch: (line: string) => browser.fetch(line.replace("//json", "")),
});
const codeOf = (secret: string) => {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: testServer.clock.now() });
};

test("GET //json/account/ returns the user's sessions and sign-in methods", async () => {
  const other = new Browser(testServer);
  await other.signIn("bo");
  const { sessions, app_passwords, ...factors } =
    await unsentKey(browser).ask("GET //json/account/");
  expect(sessions.length).toBeGreaterThan(1);
  expect(sessions.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
  expect(Object.keys(app_passwords[0]).sort()).toEqual([
    "created",
    "is_app_password",
    "key_id",
    "last_used",
    "name",
  ]);
  expect(factors).toMatchObject({ has_password: true, has_app: false, passkeys: [] });
});

test("rejects callers with an API key or without a session", async () => {
  expect((await testServer.send("bo", "GET //json/account/")).status).toBe(401);
  expect((await testServer.send(null, "GET //json/account/")).status).toBe(401);
});

test("POST //json/account/sessions/end/ ends only the caller's own sessions", async () => {
  const [ownBrowser, browserOfCy] = [new Browser(testServer), new Browser(testServer)];
  await Promise.all([ownBrowser.signIn("bo"), browserOfCy.signIn("cy")]);
  const own = await unsentKey(ownBrowser).ask("GET //json/account/");
  const { session_id } = own.sessions.find(({ current }: { current: boolean }) => current);
  expect(
    await unsentKey(browserOfCy).refused("POST //json/account/sessions/end/", { session_id }),
  ).toMatchObject({
    status: 400,
  });
  await unsentKey(browser).ask("POST //json/account/sessions/end/", { session_id });
  expect((await unsentKey(ownBrowser).fetch("GET //json/account/")).status).toBe(401);
  await unsentKey(browser).ask("POST //json/account/sessions/end-others/");
  expect((await unsentKey(browser).ask("GET //json/account/")).sessions).toHaveLength(1);
  expect((await unsentKey(browserOfCy).fetch("GET //json/account/")).status).toBe(200);
});

test("POST //json/account/keys/ creates an app password, given the caller's password", async () => {
  const wrong = { name: "Phone", password: "wrong" };
  expect((await unsentKey(browser).refused("POST //json/account/keys/", wrong)).msg).toBe(
    ownPasswordWrong().message,
  );
  const { api_key } = await unsentKey(browser).ask("POST //json/account/keys/", {
    name: "Phone",
    password,
  });
  const headers = { Authorization: `Basic ${btoa(`bo@example.com:${api_key}`)}` };
  const request = () => fetch(`${testServer.url}/api/v1/users/me`, { headers });
  expect((await request()).status).toBe(200);
  const { app_passwords } = await unsentKey(browser).ask("GET //json/account/");
  const { key_id } = app_passwords.find(({ name }: { name: string }) => name === "Phone");
  await unsentKey(browser).ask("POST //json/account/keys/remove/", { key_id });
  expect((await request()).status).toBe(401);
});

test("sets up, confirms and removes an authenticator app", async () => {
  const wrong = { password: "wrong" };
  expect((await unsentKey(browser).refused("POST //json/account/app/", wrong)).msg).toBe(
    ownPasswordWrong().message,
  );
  const { secret, uri, picture } = await unsentKey(browser).ask("POST //json/account/app/", {
    password,
  });
  expect(uri).toContain(secret);
  expect(picture).toStartWith("<svg");
  expect(
    (await unsentKey(browser).refused("POST //json/account/app/confirm/", { code: "000" })).status,
  ).toBe(401);
  const code = codeOf(secret);
  const { recovery_codes } = await unsentKey(browser).ask("POST //json/account/app/confirm/", {
    code,
  });
  expect(await unsentKey(browser).ask("GET //json/account/")).toMatchObject({
    has_app: true,
    recovery_codes_left: recovery_codes.length,
  });
  const secondResponse = await unsentKey(browser).ask("POST //json/account/recovery/", {
    password,
  });
  expect(secondResponse.recovery_codes).not.toEqual(recovery_codes);
  await unsentKey(browser).ask("POST //json/account/app/remove/", { password });
  expect((await unsentKey(browser).ask("GET //json/account/")).has_app).toBe(false);
});

test("creates and removes a passkey", async () => {
  const create = { name: "Key", password };
  const { ticket, options } = await unsentKey(browser).ask(
    "POST //json/account/passkeys/options/",
    create,
  );
  const credential = await new Authenticator(testServer.url).create(options);
  const created = await unsentKey(browser).ask("POST //json/account/passkeys/", {
    name: "Key",
    ticket,
    credential,
  });
  expect(created.recovery_codes.length).toBeGreaterThan(0);
  const { passkeys } = await unsentKey(browser).ask("GET //json/account/");
  expect(passkeys).toMatchObject([{ name: "Key", last_used: null }]);
  const { passkey_id } = passkeys[0];
  await unsentKey(browser).ask("POST //json/account/passkeys/remove/", { passkey_id, password });
  expect((await unsentKey(browser).ask("GET //json/account/")).passkeys).toEqual([]);
});

test("POST //json/account/password/strength/ rates how hard a password is to guess", async () => {
  const judged = async (new_password: string) =>
    (await unsentKey(browser).ask("POST //json/account/password/strength/", { new_password }))
      .strength;
  expect(await judged("")).toBe("weak");
  expect(await judged("blau7katze")).toBe("fair");
  expect(await judged("eleven quiet herons over the weir")).toBe("strong");
});

test("POST //json/account/password/ replaces the password if the old one is given", async () => {
  const input = { old_password: "wrong", new_password: "another long battery" };
  const line = "POST //json/account/password/";
  expect((await unsentKey(browser).refused(line, input)).status).toBe(400);
  await unsentKey(browser).ask(line, { ...input, old_password: PASSWORD });
  const previousParams = { old_password: input.new_password, new_password: PASSWORD };
  await unsentKey(browser).ask(line, previousParams);
});
