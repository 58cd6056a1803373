// Signing in to an app through the browser, and the sign-in methods that are enabled.
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  otpInvalid,
  otpsConfused,
  ownPasswordWrong,
  passwordSignInOff,
  signInMethodOff,
} from "../../src/contract/errors/people.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { completeSignIn } from "../../src/features/sign-in/complete.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
const otp = "0123456789abcdefABCDEF".padEnd(64, "5");
beforeEach(async () => {
  testServer = await startTestServer();
  const hash = await hashPassword(PASSWORD);
  const user_id = testServer.idOf("bo");
  await testServer.realm.write((tx) => tx.passwords.put({ user_id, hash }));
});
afterEach(() => testServer?.close());

/** The key from the address that opens the app. */
function keyIn(location: string | null): string {
  const hidden = new URL(location!).searchParams.get("otp_encrypted_api_key")!;
  expect(hidden).toMatch(/^[0-9a-f]{64}$/);
  const digits = Array.from(
    hidden,
    (digit, index) => parseInt(digit, 16) ^ parseInt(otp[index]!, 16),
  );
  return Buffer.from(digits.map((digit) => digit.toString(16)).join(""), "hex").toString("ascii");
}

async function isKeyValid(key: string) {
  const Authorization = `Basic ${btoa(`bo@example.com:${key}`)}`;
  return (
    (await fetch(`${testServer.url}/api/v1/users/me`, { headers: { Authorization } })).status ===
    200
  );
}

test("gives an app that opened the browser a key that only it can decrypt", async () => {
  const browser = new Browser(testServer);
  const { location, status, headers } = await browser.signIn("bo", `?mobile_flow_otp=${otp}`);
  expect(status).toBe(302);
  expect(location).toStartWith("zulip://login?otp_encrypted_api_key=");
  const { searchParams } = new URL(location!);
  expect(searchParams.get("email")).toBe("bo@example.com");
  expect(searchParams.get("user_id")).toBe(String(testServer.idOf("bo")));
  expect(searchParams.get("realm")).toBe(testServer.url);
  const key = keyIn(location);
  expect(key).toMatch(/^[A-Za-z0-9]{32}$/);
  expect(location).not.toContain(key);
  expect(await isKeyValid(key)).toBe(true);
  expect(headers.getSetCookie()).toEqual([]);
});

test("allows the page to open the app, by either scheme, and nothing else", async () => {
  for (const scheme of ["zulip", "service"]) {
    const browser = new Browser(testServer);
    const query = `?mobile_flow_otp=${otp}&mobile_scheme=${scheme}`;
    const { headers } = await browser.open(`/accounts/login/${query}`);
    const policy = headers.get("content-security-policy");
    expect(policy).toContain(`form-action 'self' ${scheme}:;`);
    const page = await browser.signIn("bo", query);
    expect(page.location).toStartWith(`${scheme}://login?`);
  }
  const other = await new Browser(testServer).open(
    `/login/?mobile_flow_otp=${otp}&mobile_scheme=https`,
  );
  expect(other.status).toBe(400);
});

test("asks a signed-in user before it gives an app a key", async () => {
  const browser = new Browser(testServer);
  await browser.signIn("bo");
  const keys = () => testServer.realm.read.api_keys.countBy("user", testServer.idOf("bo"));
  const before = keys();
  const page = await browser.open(`/login/?mobile_flow_otp=${otp}`);
  expect(page).toMatchObject({ status: 200, location: null });
  expect(keys()).toBe(before);
  const wrong = await browser.submit("/accounts/login/app/", { password: "wrong" });
  expect(wrong).toMatchObject({ status: 400, refusal: ownPasswordWrong().message });
  expect(keys()).toBe(before);
  const { location } = await browser.submit("/accounts/login/app/", { password: PASSWORD });
  expect(await isKeyValid(keyIn(location))).toBe(true);
  await browser.open("/account/");
  const csrfmiddlewaretoken = browser.csrf;
  const plain = new URLSearchParams({ csrfmiddlewaretoken });
  expect((await browser.send("POST", "/accounts/login/app/", plain)).location).toBe("/account/");
});

test("accepts a one-time pad of 64 hex digits for one kind of app", async () => {
  for (const bad of ["", "x".repeat(64), otp.slice(1), `${otp}0`]) {
    const refusal = await testServer.refused(null, "GET //login/", { mobile_flow_otp: bad });
    expect(refusal).toMatchObject({ status: 400, msg: otpInvalid().message });
  }
  const both = { mobile_flow_otp: otp, desktop_flow_otp: otp };
  const rejection = await testServer.refused(null, "GET //accounts/login/", both);
  expect(rejection).toMatchObject({ status: 400, msg: otpsConfused().message });
});

test("redirects the organization finder to this organization", async () => {
  const page = await new Browser(testServer).open(`/accounts/go/?next=%2Fx&mobile_flow_otp=${otp}`);
  expect(page.location).toBe(`/login/?next=%2Fx&mobile_flow_otp=${otp}`);
});

test("lists the browser as a sign-in method for apps", async () => {
  const response = await testServer.request(null, "GET /server_settings");
  expect(response.external_authentication_methods).toEqual([
    {
      name: "browser",
      display_name: "browser",
      display_icon: null,
      login_url: "/login/",
      signup_url: "/register/",
    },
  ]);
});

test("rejects password sign-ins if passwords are disabled, and tells clients", async () => {
  const listener = await testServer.listen("bo", { event_types: ["realm"] });
  const set = (methods: Record<string, boolean>) =>
    testServer.realm.write((tx) => {
      const row = tx.realm.get(1)!;
      const settings = { ...row.settings, authentication_methods: methods };
      tx.realm.put({ ...row, settings });
    });
  await set({ Email: false });
  const response = await testServer.request(null, "GET /server_settings");
  expect(response).toMatchObject({
    email_auth_enabled: false,
    authentication_methods: { password: false, email: false, ldap: false },
  });
  const credentials = { username: "bo@example.com", password: PASSWORD };
  const refusal = await testServer.refused(null, "POST /fetch_api_key", credentials);
  expect(refusal).toMatchObject({
    status: 401,
    code: "PASSWORD_AUTH_DISABLED",
    msg: passwordSignInOff().message,
  });
  const browser = new Browser(testServer);
  expect((await browser.open("/login/")).text).not.toContain('type="password"');
  const { realm } = testServer;
  const request = new Request(`${testServer.url}/login/`);
  const identity = { email: "bo@example.com", method: "Email" };
  const page = await completeSignIn({ realm, request, address: "127.0.0.1" }, identity, {});
  expect(await page.text()).toContain(signInMethodOff().message);
  const { realm_authentication_methods, realm_email_auth_enabled } = listener.registered;
  expect(realm_authentication_methods).toEqual({ Email: { enabled: true, available: true } });
  expect(realm_email_auth_enabled).toBe(true);
  await testServer.request("olga", "PATCH /realm", { authentication_methods: { Email: true } });
  expect(await listener.takeAll()).toMatchObject([
    {
      type: "realm",
      op: "update_dict",
      property: "default",
      data: { authentication_methods: { Email: { enabled: true, available: true } } },
    },
  ]);
  expect((await browser.signIn("bo")).location).toBe("/");
});
