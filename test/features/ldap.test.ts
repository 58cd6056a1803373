// Signing in with an LDAP password, in the browser and in an app.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { Secret, TOTP } from "otpauth";
import {
  addressOrPasswordWrong,
  directoryNamesNoAddress,
  directoryUnavailable,
  emailNotAnAddress,
  joinByBrowser,
  nameAddressOrPasswordWrong,
  noAccountYet,
  ownPasswordWrong,
  passwordSignInOff,
  secondFactorNeeded,
  signInDeactivated,
  signInFailed,
} from "../../src/contract/errors/people.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { SIGN_IN_BY_NAME } from "../../src/server/limit.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { DIRECTORY_PASSWORD, LdapServer } from "../ldap-server.ts";
import { keyIn, OTP, ownerOf } from "../otp.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let directory: LdapServer;
let testServer: TestServer;
const directoryEntry = (uid: string, cn = uid) => ({ uid, mail: `${uid}@example.com`, cn });

beforeAll(async () => {
  const people = [
    directoryEntry("bo"),
    directoryEntry("cy"),
    directoryEntry("mo"),
    directoryEntry("nia", "Nia New"),
  ];
  const more = [
    directoryEntry("nic", "Nic New"),
    directoryEntry("nel", "N"),
    { uid: "bare" },
    directoryEntry("ada"),
  ];
  directory = await LdapServer.open(...people, ...more);
});
beforeEach(async () => {
  await testServer?.close();
  directory.binds.length = 0;
  testServer = await startTestServer({ ldap: directory.config(), rate_limits: true });
  await testServer.request("olga", "PATCH /realm", { invite_required: false });
});
afterAll(async () => {
  await testServer?.close();
  await directory?.close();
});

async function setLocalPassword(name: "bo" | "cy") {
  const hash = await hashPassword(PASSWORD);
  const user_id = testServer.idOf(name);
  await testServer.realm.write((tx) => tx.passwords.put({ user_id, hash }));
}

async function signIn(username: string, password = DIRECTORY_PASSWORD, query = "") {
  const browser = new Browser(testServer);
  await browser.open(`/login/${query}`);
  const page = await browser.submit("/accounts/login/", { username, password });
  return { browser, page };
}

const appCredentials = (username: string, password = DIRECTORY_PASSWORD) => ({
  username,
  password,
});

test("signs in users of the directory by name or address to their account", async () => {
  for (const name of ["bo", "Bo ", "bo@example.com"]) {
    const { browser, page } = await signIn(name.trim().toLowerCase());
    expect(page).toMatchObject({ status: 302, location: "/" });
    expect(await browser.request("GET /users/me")).toMatchObject({
      user_id: testServer.idOf("bo"),
    });
  }
  const [session] = testServer.realm.read.sessions.listBy("user", testServer.idOf("bo"));
  expect(session!.method).toBe("LDAP");
  const { location } = (await signIn("cy", DIRECTORY_PASSWORD, `?mobile_flow_otp=${OTP}`)).page;
  expect(await ownerOf(testServer.url, "cy@example.com", keyIn(location))).toBe(
    testServer.idOf("cy"),
  );
});

test("signs in apps too, and returns the address of the key", async () => {
  const response = await testServer.request(null, "POST /fetch_api_key", appCredentials("bo"));
  expect(response).toMatchObject({ email: "bo@example.com", user_id: testServer.idOf("bo") });
  expect(await ownerOf(testServer.url, response.email, response.api_key)).toBe(
    testServer.idOf("bo"),
  );
});

test("tells clients and the form that a user name need not be an address", async () => {
  const response = await testServer.request(null, "GET /server_settings");
  expect(response).toMatchObject({
    require_email_format_usernames: false,
    email_auth_enabled: true,
    authentication_methods: { password: true, ldap: true, email: true },
  });
  expect((await new Browser(testServer).open("/login/")).text).toContain(
    "username or email address",
  );
});

test("rejects a wrong password, no password and an unknown name in the same way", async () => {
  const refusal = nameAddressOrPasswordWrong().message;
  for (const [name, password] of [
    ["bo", "x"],
    ["bo", " "],
    ["who", "x"],
    ["*", DIRECTORY_PASSWORD],
  ]) {
    expect((await signIn(name!, password)).page).toMatchObject({ status: 401, refusal });
    const refusedResponse = await testServer.refused(
      null,
      "POST /fetch_api_key",
      appCredentials(name!, password),
    );
    const msg = signInFailed().message;
    expect(refusedResponse).toMatchObject({ status: 401, code: "AUTHENTICATION_FAILED", msg });
  }
  directory.binds.length = 0;
  expect((await signIn("cy", "")).page).toMatchObject({ status: 401, refusal });
  await testServer.refused(null, "POST /fetch_api_key", appCredentials("cy", ""));
  expect(directory.binds).toEqual([]);
});

test("counts attempts by form and app together, and limits queries of the directory", async () => {
  const forwardedFor = (address: string) => ({
    "X-Forwarded-For": address,
    Origin: testServer.url,
  });
  const remoteHeader = forwardedFor("203.0.113.9");
  const signInByForm = async (username: string, password: string) => {
    const browser = new Browser(testServer);
    await browser.open("/login/");
    const fields = { username, password, csrfmiddlewaretoken: browser.csrf };
    return browser.send("POST", "/accounts/login/", new URLSearchParams(fields), remoteHeader);
  };
  const signInByApp = (typed: Record<string, string>) => {
    const body = new URLSearchParams(typed);
    return fetch(`${testServer.url}/api/v1/fetch_api_key`, {
      method: "POST",
      headers: remoteHeader,
      body,
    });
  };
  for (let tries = 1; tries < SIGN_IN_BY_NAME.calls; tries++) await signInByForm("bo", "wrong");
  expect((await signInByApp(appCredentials("bo", "wrong"))).status).toBe(401);
  directory.binds.length = 0;
  const refusal = await signInByApp(appCredentials("bo"));
  expect(refusal.status).toBe(429);
  expect(await refusal.json()).toMatchObject({ code: "RATE_LIMIT_HIT" });
  expect((await signInByForm("bo", DIRECTORY_PASSWORD)).status).toBe(429);
  expect(directory.binds).toEqual([]);
  expect((await signInByForm("cy", DIRECTORY_PASSWORD)).location).toBe("/");
});

test("tries the local password first, and then the directory's", async () => {
  await setLocalPassword("bo");
  expect((await signIn("bo@example.com", PASSWORD)).page.location).toBe("/");
  expect(directory.binds).toEqual([]);
  expect((await signIn("bo@example.com")).page.location).toBe("/");
  expect(directory.binds).toHaveLength(2);
});

test("reports an unreachable directory, while local passwords keep working", async () => {
  const ldapServer = await LdapServer.open();
  await testServer.close();
  testServer = await startTestServer({ ldap: ldapServer.config() });
  await ldapServer.close();
  await setLocalPassword("bo");
  const { message } = directoryUnavailable();
  expect((await signIn("cy")).page).toMatchObject({ status: 503, refusal: message });
  const refusal = await testServer.refused(null, "POST /fetch_api_key", appCredentials("cy"));
  expect(refusal).toMatchObject({ status: 503, code: "AUTHENTICATION_UNAVAILABLE", msg: message });
  expect((await signIn("bo@example.com", PASSWORD)).page.location).toBe("/");
});

test("rejects a deactivated account, and reveals that only with the right password", async () => {
  await testServer.request("olga", `DELETE /users/${testServer.idOf("mo")}`);
  const deactivated = { status: 401, refusal: signInDeactivated().message };
  expect((await signIn("mo")).page).toMatchObject(deactivated);
  expect((await signIn("mo", "x")).page.refusal).toBe(nameAddressOrPasswordWrong().message);
  const refusal = await testServer.refused(null, "POST /fetch_api_key", appCredentials("mo"));
  expect(refusal).toMatchObject({ code: "USER_DEACTIVATED" });
});

test("asks for a second factor as with a local password", async () => {
  const { now } = testServer.realm.read;
  const user_id = testServer.idOf("bo");
  const app = { user_id, sealed: "", created: now, confirmed: now, last_period: 0 };
  await testServer.realm.write((tx) => tx.totps.put(app));
  const { browser, page } = await signIn("bo");
  expect(page.text).toContain("One more step");
  expect(browser.cookies.has("sessionid")).toBe(false);
  const refusal = await testServer.refused(null, "POST /fetch_api_key", appCredentials("bo"));
  expect(refusal).toMatchObject({ status: 401, msg: secondFactorNeeded().message });
});

test("lets users of a directory set up a second factor with its password", async () => {
  const { browser } = await signIn("bo");
  await browser.open("/account/");
  const wrong = await browser.submit("/account/app/", { password: "wrong" });
  expect(wrong.refusal).toBe(ownPasswordWrong().message);
  await browser.open("/account/");
  const page = await browser.submit("/account/app/", { password: DIRECTORY_PASSWORD });
  const secret = /<pre>([A-Z2-7]{32})<\/pre>/.exec(page.text)![1]!;
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  const code = app.generate({ timestamp: testServer.clock.now() });
  const donePage = await browser.submit("/account/app/confirm/", { code });
  expect(donePage.text).toContain("recovery codes");
  expect((await signIn("bo")).page.text).toContain("One more step");
  await browser.open("/account/");
  const removed = await browser.submit("/account/app/remove/", { password: DIRECTORY_PASSWORD });
  expect(removed.location).toBe("/account/");
  expect((await signIn("bo")).page.location).toBe("/");
});

test("rejects an entry without an email address", async () => {
  const { page } = await signIn("bare");
  expect(page).toMatchObject({ status: 401, refusal: directoryNamesNoAddress().message });
});

test("asks new members for their name, if the organization accepts them", async () => {
  const refusedResponse = await testServer.refused(
    null,
    "POST /fetch_api_key",
    appCredentials("nia"),
  );
  expect(refusedResponse.msg).toBe(joinByBrowser("nia@example.com").message);
  const { browser, page } = await signIn("nia");
  expect((await browser.open(page.location!)).text).toContain('value="Nia New"');
  await browser.submit(page.location!, { full_name: "Nia Nova" });
  expect(await browser.request("GET /users/me")).toMatchObject({ full_name: "Nia Nova" });
  await testServer.request(null, "POST /fetch_api_key", appCredentials("nia"));
  await testServer.request("olga", "PATCH /realm", { invite_required: true });
  const refusal = noAccountYet("nic@example.com").message;
  const deactivatedPage = (await signIn("nic")).page;
  expect(deactivatedPage).toMatchObject({ status: 401, refusal });
  // The form contains the entered name again.
  expect(deactivatedPage.text).toContain(
    'name="username" required autocomplete="username" value="nic"',
  );
  expect((await testServer.refused(null, "POST /fetch_api_key", appCredentials("nic"))).msg).toBe(
    refusal,
  );
});

test("creates the account at once if the operator trusts the names", async () => {
  await testServer.close();
  testServer = await startTestServer({ ldap: directory.config({ auto_signup: true }) });
  await testServer.request("olga", "PATCH /realm", { invite_required: false });
  const { api_key, email, user_id } = await testServer.request(
    null,
    "POST /fetch_api_key",
    appCredentials("nic"),
  );
  expect(await ownerOf(testServer.url, email, api_key)).toBe(user_id);
  expect(testServer.realm.read.users.get(user_id)!.full_name).toBe("Nic New");
  const { browser, page } = await signIn("nia");
  expect(page.location).toBe("/");
  expect(await browser.request("GET /users/me")).toMatchObject({ full_name: "Nia New" });
  const refusal = await testServer.refused(null, "POST /fetch_api_key", appCredentials("nel"));
  expect(refusal.msg).toBe(joinByBrowser("nel@example.com").message);
  expect((await signIn("nel")).page.location).toStartWith("/accounts/join/");
});

test("lets the organization disable either method, but not both", async () => {
  await setLocalPassword("bo");
  const set = (methods: Record<string, boolean>) =>
    testServer.realm.write((tx) => {
      const row = tx.realm.get(1)!;
      tx.realm.put({ ...row, settings: { ...row.settings, authentication_methods: methods } });
    });
  await set({ Email: false });
  const response = await testServer.request(null, "GET /server_settings");
  expect(response).toMatchObject({
    email_auth_enabled: false,
    authentication_methods: { password: true, ldap: true, email: false },
  });
  const refusedByName = nameAddressOrPasswordWrong().message;
  expect((await signIn("bo@example.com", PASSWORD)).page.refusal).toBe(refusedByName);
  expect((await signIn("bo")).page.location).toBe("/");
  await set({ LDAP: false });
  directory.binds.length = 0;
  expect((await signIn("bo")).page.refusal).toBe(emailNotAnAddress().message);
  expect((await signIn("cy@example.com")).page.refusal).toBe(addressOrPasswordWrong().message);
  expect(directory.binds).toEqual([]);
  await set({ LDAP: false, Email: false });
  const refusal = await testServer.refused(null, "POST /fetch_api_key", appCredentials("bo"));
  expect(refusal).toMatchObject({
    status: 401,
    code: "PASSWORD_AUTH_DISABLED",
    msg: passwordSignInOff().message,
  });
});
