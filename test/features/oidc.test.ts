// Signing in through a real OpenID provider, with its pages filled in like in a browser.
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  emailNotVerified,
  noAccountYet,
  otpInvalid,
  otpsConfused,
  signInDeactivated,
  signInDenied,
  signInMethodOff,
} from "../../src/contract/errors/people.ts";
import { emailNotAllowed, signInRealmDeactivated } from "../../src/contract/errors/realm.ts";
import { Browser, type Page } from "../browser.ts";
import { providerConfig, Host, IdentityProvider, type People } from "../oidc-provider.ts";
import { keyIn, OTP, ownerOf } from "../otp.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let host: Host;
let testServer: TestServer;
let provider: IdentityProvider;
const verifiedClaims = (email: string, name: string) => ({ email, email_verified: true, name });
const people: People = {
  bo: verifiedClaims("Bo@Example.com", "Bo Elsewhere"),
  mo: verifiedClaims("mo@example.com", "Mo"),
  nia: verifiedClaims("nia@example.com", "Nia New"),
  short: verifiedClaims("short@example.com", "S"),
  una: verifiedClaims("una@example.com", "Una Invited"),
  ext: verifiedClaims("ext@elsewhere.example", "Ext"),
  ivy: { email: "bo@example.com", email_verified: false, name: "Ivy" },
  sly: { email: "bo@example.com", name: "Sly" },
  nameless: { email_verified: true },
};

beforeEach(async () => {
  host = await Host.open();
  const more = [
    { name: "quick", display_name: "Quick", auto_signup: true },
    { name: "lax", display_name: "Lax", accept_unverified_email: true },
  ];
  const oidc_providers = [{}, ...more].map((item) => providerConfig(host.url, item));
  testServer = await startTestServer({ oidc_providers });
  const addresses = oidc_providers.map(({ name }) => `${testServer.url}/complete/oidc/${name}/`);
  provider = new IdentityProvider(host, people, addresses);
});
afterEach(async () => {
  await testServer?.close();
  await host?.close();
});
beforeEach(() => testServer.request("olga", "PATCH /realm", { invite_required: false }));

/** Follows the whole redirect to the provider and back. */
async function signInThroughProvider(
  browser: Browser,
  login?: string,
  query = "",
  name = "main",
): Promise<Page> {
  const { location } = await browser.open(`/accounts/login/social/oidc/${name}${query}`);
  const back = await provider.completeSignIn(location!, login);
  expect(back).toStartWith(`${testServer.url}/complete/oidc/${name}/?`);
  return browser.open(back.slice(testServer.url.length));
}

test("signs in the account with the address that the provider verified", async () => {
  const browser = new Browser(testServer);
  const page = await signInThroughProvider(browser, "bo", "?next=%2Faccount%2F%3Fhere");
  expect(page).toMatchObject({ status: 302, location: "/account/?here" });
  const own = await browser.request("GET /users/me");
  expect(own).toMatchObject({ user_id: testServer.idOf("bo"), full_name: "Bo Member" });
  const [session] = testServer.realm.read.sessions.listBy("user", testServer.idOf("bo"));
  expect(session!.method).toBe("OpenID Connect");
  expect(browser.cookies.has("oidc")).toBe(false);
});

test("redirects to no other site after the sign-in", async () => {
  for (const next of ["https://evil.example/", "//evil.example/", "/".padEnd(2000, "x")]) {
    const page = await signInThroughProvider(
      new Browser(testServer),
      "bo",
      `?next=${encodeURIComponent(next)}`,
    );
    expect(page.location).toBe("/");
  }
});

test("gives an app a working key that only it can decrypt", async () => {
  const browser = new Browser(testServer);
  const response = await testServer.request(null, "GET /server_settings");
  const { login_url } = response.external_authentication_methods[0];
  expect(login_url).toBe("/accounts/login/social/oidc/main");
  const page = await signInThroughProvider(browser, "bo", `?mobile_flow_otp=${OTP}`);
  expect(page).toMatchObject({ status: 200, location: null });
  const removed = "oidc=; Path=/; Max-Age=0; SameSite=Lax; HttpOnly";
  expect(page.headers.getSetCookie()).toContain(removed);
  const { location, headers } = await browser.submit("/accounts/login/app/confirm/");
  expect(location).toStartWith("zulip://login?otp_encrypted_api_key=");
  const { searchParams } = new URL(location!);
  expect(searchParams.get("email")).toBe("bo@example.com");
  expect(searchParams.get("realm")).toBe(testServer.url);
  expect(await ownerOf(testServer.url, "bo@example.com", keyIn(location))).toBe(
    testServer.idOf("bo"),
  );
  expect(location).not.toContain(keyIn(location));
  expect(headers.getSetCookie()).toEqual([]);
});

test("rejects an invalid one-time pad before any redirect", async () => {
  const path = "GET //accounts/login/social/oidc/main";
  const bad = await testServer.refused(null, path, { mobile_flow_otp: "abc" });
  expect(bad).toMatchObject({ status: 400, code: "BAD_REQUEST", msg: otpInvalid().message });
  const both = await testServer.refused(null, path, {
    mobile_flow_otp: OTP,
    desktop_flow_otp: OTP,
  });
  expect(both.msg).toBe(otpsConfused().message);
});

test("lists the providers in the operator's order to clients and on the sign-in page", async () => {
  const response = await testServer.request(null, "GET /server_settings");
  expect(response.authentication_methods).toMatchObject({ "openid connect": true, ldap: false });
  expect(response.require_email_format_usernames).toBe(true);
  const names = response.external_authentication_methods.map(
    (method: { name: string }) => method.name,
  );
  expect(names).toEqual(["oidc:main", "oidc:quick", "oidc:lax", "browser"]);
  expect(response.external_authentication_methods[0]).toEqual({
    name: "oidc:main",
    display_name: "Main Street",
    display_icon: null,
    login_url: "/accounts/login/social/oidc/main",
    signup_url: "/accounts/register/social/oidc/main",
  });
  const page = await new Browser(testServer).open(`/login/?next=%2Fx&mobile_flow_otp=${OTP}`);
  expect(page.text).toContain(
    `href="/accounts/login/social/oidc/main?next=%2Fx&amp;mobile_flow_otp=${OTP}"`,
  );
  const providerPage = await new Browser(testServer).open("/accounts/register/social/oidc/main");
  expect(providerPage.location).toStartWith(`${host.url}/auth?`);
});

test("rejects an address that the provider has not verified", async () => {
  for (const login of ["ivy", "sly", "nameless"]) {
    const browser = new Browser(testServer);
    const page = await signInThroughProvider(browser, login);
    const refusal = emailNotVerified("Main Street").message;
    expect(page).toMatchObject({ status: 401, refusal });
    expect(browser.cookies.has("sessionid")).toBe(false);
  }
  // The operator may trust a provider that omits the claim, but not one that denies it.
  const lax = await signInThroughProvider(new Browser(testServer), "sly", "", "lax");
  expect(lax.location).toBe("/");
  const denied = await signInThroughProvider(new Browser(testServer), "ivy", "", "lax");
  expect(denied).toMatchObject({ status: 401, location: null });
});

test("reports a denial at the provider, and allows another attempt", async () => {
  const browser = new Browser(testServer);
  const page = await signInThroughProvider(browser, undefined, "?next=%2Fx");
  expect(page).toMatchObject({ status: 401, refusal: signInDenied("Main Street").message });
  expect(page.text).toContain("/accounts/login/social/oidc/main?next=%2Fx");
  expect((await signInThroughProvider(browser, "bo")).location).toBe("/");
});

test("rejects a deactivated account", async () => {
  await testServer.request("olga", `DELETE /users/${testServer.idOf("mo")}`);
  const page = await signInThroughProvider(new Browser(testServer), "mo");
  expect(page).toMatchObject({ status: 401, refusal: signInDeactivated().message });
});

test("asks new members for a name and creates an account in an open organization", async () => {
  const browser = new Browser(testServer);
  const { location } = await signInThroughProvider(browser, "nia", "?next=%2Faccount%2F%3Fnew");
  expect(location).toStartWith("/accounts/join/");
  expect((await browser.open(location!)).text).toContain('value="Nia New"');
  const joinedPage = await browser.submit(location!, { full_name: "Nia Nova" });
  expect(joinedPage.location).toBe("/account/?new");
  const own = await browser.request("GET /users/me");
  expect(own).toMatchObject({ full_name: "Nia Nova", email: "nia@example.com", role: 400 });
  expect((await signInThroughProvider(new Browser(testServer), "nia")).location).toBe("/");
});

test("creates an account at once if the operator trusts names and the name is valid", async () => {
  const browser = new Browser(testServer);
  await signInThroughProvider(browser, "una", `?mobile_flow_otp=${OTP}`, "quick");
  const { location } = await browser.submit("/accounts/login/app/confirm/");
  const user_id = testServer.realm.read.users.findBy("email", "una@example.com")!.user_id;
  expect(await ownerOf(testServer.url, "una@example.com", keyIn(location))).toBe(user_id);
  const short = await signInThroughProvider(new Browser(testServer), "short", "", "quick");
  expect(short.location).toStartWith("/accounts/join/");
});

test("rejects new members without an invitation or an allowed address", async () => {
  await testServer.request("olga", "PATCH /realm", { invite_required: true });
  for (const name of ["main", "quick"]) {
    const page = await signInThroughProvider(new Browser(testServer), "ext", "", name);
    const refusal = noAccountYet("ext@elsewhere.example").message;
    expect(page).toMatchObject({ status: 401, refusal });
  }
  const invitation = { invitee_emails: "ext@elsewhere.example", stream_ids: [], invite_as: 600 };
  await testServer.request("olga", "POST /invites", invitation);
  await testServer.request("olga", "PATCH /realm", { emails_restricted_to_domains: true });
  const wrong = await signInThroughProvider(new Browser(testServer), "ext", "", "quick");
  const { message } = emailNotAllowed("ext@elsewhere.example");
  expect(wrong.refusal).toBe(message.replaceAll("'", "&#39;"));
  await testServer.request("olga", "PATCH /realm", { emails_restricted_to_domains: false });
  const browser = new Browser(testServer);
  const { location } = await signInThroughProvider(browser, "ext");
  await browser.open(location!);
  await browser.submit(location!, { full_name: "Ext Guest" });
  expect(await browser.request("GET /users/me")).toMatchObject({ role: 600 });
});

test("lets the organization disable it, even during a sign-in", async () => {
  const browser = new Browser(testServer);
  const { location } = await browser.open("/accounts/login/social/oidc/main");
  const back = await provider.completeSignIn(location!, "bo");
  const set = (on: boolean) =>
    testServer.request("olga", "PATCH /realm", {
      authentication_methods: { "OpenID Connect": on },
    });
  await set(false);
  const refusal = signInMethodOff().message;
  expect(await browser.open(back.slice(testServer.url.length))).toMatchObject({
    status: 401,
    refusal,
  });
  const start = await browser.open("/accounts/login/social/oidc/main");
  expect(start).toMatchObject({ status: 401, refusal, location: null });
  const response = await testServer.request(null, "GET /server_settings");
  expect(response.authentication_methods["openid connect"]).toBe(false);
  expect(response.external_authentication_methods).toHaveLength(1);
  await set(true);
});

test('answers an unknown provider with "not found"', async () => {
  const notFound = { status: 404, msg: "Not Found" };
  const refusedGet = (path: string) => testServer.refused(null, path);
  expect(await refusedGet("GET //accounts/login/social/oidc/none")).toMatchObject(notFound);
  expect(await refusedGet("GET //accounts/register/social/oidc/none")).toMatchObject(notFound);
  expect(await refusedGet("GET //complete/oidc/none/")).toMatchObject(notFound);
});

test("does not redirect to the provider in a deactivated organization", async () => {
  await testServer.request("olga", "POST /realm/deactivate", {});
  const page = await new Browser(testServer).open("/accounts/login/social/oidc/main");
  expect(page).toMatchObject({ status: 401, refusal: signInRealmDeactivated().message });
});
