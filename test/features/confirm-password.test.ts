// Confirming the password again, whichever way the user signed in.
import { afterAll, beforeAll, beforeEach, expect, spyOn, test } from "bun:test";
import { accountDeactivated } from "../../src/contract/errors/general.ts";
import { noSession, ownPasswordWrong, signInTooOld } from "../../src/contract/errors/people.ts";
import { routes } from "../../src/contract/routes.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { SIGN_IN_RECENT_SECONDS } from "../../src/features/passwords/confirm.ts";
import { rangesOf } from "../../src/outbound/addresses.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { DIRECTORY_PASSWORD, LdapServer } from "../ldap-server.ts";
import { OTP } from "../otp.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let directory: LdapServer;
const header = "Remote-Email";
const wrong = { status: 400, refusal: ownPasswordWrong().message };
const lateSignIn = { status: 400, refusal: signInTooOld().message };

beforeAll(async () => {
  const directoryEntry = (uid: string) => ({ uid, mail: `${uid}@example.com`, cn: uid });
  directory = await LdapServer.open(directoryEntry("bo"), directoryEntry("cy"));
});
beforeEach(async () => {
  await testServer?.close();
  testServer = await startTestServer({
    // Users are found by the name entered at the sign-in, not by email address.
    ldap: directory.config({ search_filter: "(uid={username})" }),
    trusted_proxy: { ranges: rangesOf(["127.0.0.0/8", "::1"]), header },
  });
});
afterAll(async () => {
  await testServer?.close();
  await directory?.close();
});

async function signInByDirectory(name: string): Promise<Browser> {
  const browser = new Browser(testServer);
  await browser.open("/login/");
  const credentials = { username: name, password: DIRECTORY_PASSWORD };
  expect((await browser.submit("/accounts/login/", credentials)).location).toBe("/");
  await browser.open("/account/");
  return browser;
}

async function signInByProxy(email: string): Promise<Browser> {
  const browser = new Browser(testServer);
  await browser.send("GET", "/accounts/login/sso/", undefined, { [header]: email });
  await browser.open("/account/");
  return browser;
}

const send = (browser: Browser, path: string, fields: Record<string, string> = {}) => {
  const body = new URLSearchParams({ csrfmiddlewaretoken: browser.csrf, ...fields });
  return browser.send("POST", path, body);
};
const keysOf = (name: "bo" | "cy") =>
  testServer.realm.read.api_keys.countBy("user", testServer.idOf(name));

test("a key opens no account page and creates no other key", async () => {
  const paths = routes.map(({ path }) => path);
  const own = paths.filter((path) => /^root:\/(account\/|accounts\/log(in\/app|out)\/)/.test(path));
  expect(own.length).toBeGreaterThan(12);
  const before = keysOf("bo");
  for (const path of own) {
    const { method, gate } = routes.find((route) => route.path === path && !route.gate.open) ?? {};
    if (gate === undefined) continue;
    const line = `${method} ${path.replace("root:/", "//")}`;
    const refusal = await testServer.refused("bo", line, { mobile_flow_otp: OTP });
    expect(refusal).toMatchObject({ status: 401, msg: noSession().message });
  }
  expect(keysOf("bo")).toBe(before);
});

test("asks users of a directory for a local password if there is one", async () => {
  const browser = await signInByDirectory("bo");
  const before = keysOf("bo");
  for (const password of ["wrong", "", PASSWORD]) {
    const key = { name: "Phone", password };
    expect(await send(browser, "/account/keys/", key)).toMatchObject(wrong);
    expect(await send(browser, "/account/app/", { password })).toMatchObject(wrong);
    const refusal = await browser.refused("POST /fetch_api_key", { password });
    expect(refusal.msg).toBe(ownPasswordWrong().message);
    const handed = { mobile_flow_otp: OTP, password };
    expect(await send(browser, "/accounts/login/app/", handed)).toMatchObject(wrong);
  }
  expect(keysOf("bo")).toBe(before);
  await browser.open("/account/");
  const input = { name: "Phone", password: DIRECTORY_PASSWORD };
  expect((await browser.submit("/account/keys/", input)).text).toMatch(/<pre>\w{32}<\/pre>/);
  expect(keysOf("bo")).toBe(before + 1);
});

test("rejects another directory user's password", async () => {
  const browser = await signInByDirectory("bo");
  const [session] = testServer.realm.read.sessions.listBy("user", testServer.idOf("bo"));
  await testServer.realm.write((tx) => tx.sessions.put({ ...session!, username: "cy" }));
  const key = { name: "Phone", password: DIRECTORY_PASSWORD };
  expect(await send(browser, "/account/keys/", key)).toMatchObject(wrong);
});

test("lets users without a password continue for ten minutes after the sign-in", async () => {
  const browser = await signInByProxy("cy@example.com");
  expect(browser.page!.text).not.toContain('type="password"');
  const page = await browser.submit("/account/keys/", { name: "Phone" });
  expect(page.text).toMatch(/<pre>\w{32}<\/pre>/);
  await browser.request("POST /fetch_api_key");
  testServer.clock.passSeconds(SIGN_IN_RECENT_SECONDS);
  const before = keysOf("cy");
  expect(await send(browser, "/account/keys/", { name: "Phone" })).toMatchObject(lateSignIn);
  const handed = { mobile_flow_otp: OTP };
  expect(await send(browser, "/accounts/login/app/", handed)).toMatchObject(lateSignIn);
  expect((await browser.refused("POST /fetch_api_key")).msg).toBe(signInTooOld().message);
  expect(keysOf("cy")).toBe(before);
});

test("does not ask for a local password if passwords are disabled", async () => {
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => tx.passwords.put({ user_id: testServer.idOf("cy"), hash }));
  const cookies = await signInByProxy("cy@example.com");
  expect(await send(cookies, "/account/keys/", { name: "Phone" })).toMatchObject(wrong);
  const off = { authentication_methods: { Email: false, LDAP: false, RemoteUser: true } };
  await testServer.request("olga", "PATCH /realm", off);
  const browser = await signInByProxy("cy@example.com");
  expect((await send(browser, "/account/keys/", { name: "Phone" })).status).toBe(200);
  testServer.clock.passSeconds(SIGN_IN_RECENT_SECONDS);
  const input = { name: "Phone", password: PASSWORD };
  expect(await send(browser, "/account/keys/", input)).toMatchObject(lateSignIn);
});

/** Hashes without the queue of the server, in which the verification that waits holds a slot. */
const setPassword = async (password: string) => {
  const row = { user_id: testServer.idOf("bo"), hash: await Bun.password.hash(password) };
  await testServer.realm.write((tx) => tx.passwords.put(row));
};

test.each([
  {
    change: "the session ended",
    make: async () => send(await signInByProxy("bo@example.com"), "/account/sessions/end-others/"),
    refusal: noSession(),
  },
  { change: "the password changed", make: () => setPassword("other"), refusal: ownPasswordWrong() },
  {
    change: "the account was deactivated",
    make: () => testServer.request("olga", `DELETE /users/${testServer.idOf("bo")}`),
    refusal: accountDeactivated(),
  },
])("creates no key if $change during the verification", async ({ make, refusal }) => {
  await setPassword(PASSWORD);
  const browser = await signInByProxy("bo@example.com");
  let before = 0;
  const { verify } = Bun.password;
  const spy = spyOn(Bun.password, "verify").mockImplementationOnce(async (...params) => {
    const isMatch = await verify(...params);
    await make();
    before = keysOf("bo");
    return isMatch;
  });
  const { msg } = await browser.refused("POST /fetch_api_key", { password: PASSWORD });
  spy.mockRestore();
  expect(msg).toBe(refusal.message);
  expect(keysOf("bo")).toBe(before);
});
