// Forged OpenID Connect sign-ins by a provider, a browser or another site.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import {
  emailNotVerified,
  providerUnavailable,
  signInDenied,
  signInNotStarted,
  signInNotTrusted,
  tooManySignIns,
} from "../../src/contract/errors/people.ts";
import { SIGN_IN_SECONDS } from "../../src/features/oidc/state.ts";
import { SIGN_IN_BY_NETWORK } from "../../src/features/passwords/attempts.ts";
import { KEY_REFETCHES_PER_MINUTE } from "../../src/outbound/oidc.ts";
import { Browser } from "../browser.ts";
import { FaultyOidcProvider, otherKey } from "../faulty-oidc-provider.ts";
import { CLIENT, providerConfig, Host } from "../oidc-provider.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let host: Host;
let provider: FaultyOidcProvider;
let testServer: TestServer;
const DISPLAYED = "Main Street";
const back = "/complete/oidc/main/";
const notTrusted = { status: 401, refusal: signInNotTrusted(DISPLAYED).message, location: null };
const notStarted = { status: 400, refusal: signInNotStarted().message, location: null };

beforeAll(async () => {
  host = await Host.open();
});
beforeEach(async () => {
  await testServer?.close();
  provider = new FaultyOidcProvider(host);
  const duplicate = providerConfig(host.url, { name: "twin", display_name: "Twin" });
  testServer = await startTestServer({
    oidc_providers: [providerConfig(host.url), duplicate],
    rate_limits: true,
  });
});
afterAll(async () => {
  await testServer?.close();
  await host?.close();
});

async function start(browser = new Browser(testServer)) {
  const { location } = await browser.open("/accounts/login/social/oidc/main");
  return { browser, location: location! };
}

async function signInWithClaims(extra: Record<string, unknown> = {}) {
  const { browser, location } = await start();
  const page = await browser.open(back + provider.callback(location, extra).query);
  return { browser, page };
}

test("signs in with a correct provider, using a proof that only this server has", async () => {
  const { browser, location } = await start();
  const params = new URL(location).searchParams;
  expect(params.get("code_challenge_method")).toBe("S256");
  expect(params.get("redirect_uri")).toBe(`${testServer.url}${back}`);
  const page = await browser.open(back + provider.callback(location).query);
  expect(page.location).toBe("/");
  const { body, authorization } = provider.asked.find(({ path }) => path === "/token")!;
  const verifier = body.get("code_verifier")!;
  const hash = new Bun.CryptoHasher("sha256").update(verifier).digest("base64url");
  expect(hash).toBe(params.get("code_challenge")!);
  expect(authorization).toStartWith("Basic ");
  expect(location).not.toContain(verifier);
});

test("rejects a missing or wrong state without contacting the provider", async () => {
  const ownSignIn = await start();
  const otherSignIn = await start();
  const forged = provider.callback(otherSignIn.location).query;
  expect(await ownSignIn.browser.open(back + forged)).toMatchObject(notStarted);
  expect(await new Browser(testServer).open(back + forged)).toMatchObject(notStarted);
  const stripped = provider.callback(ownSignIn.location, { state: undefined }).query;
  expect(await ownSignIn.browser.open(back + stripped)).toMatchObject(notStarted);
  ownSignIn.browser.cookies.set("oidc", "AAAA".repeat(40));
  expect(
    await ownSignIn.browser.open(back + provider.callback(ownSignIn.location).query),
  ).toMatchObject(notStarted);
  expect(provider.asked.map(({ path }) => path)).not.toContain("/token");
});

test("does not end a sign-in in progress because of a forged response", async () => {
  const { browser, location } = await start();
  await browser.open(`${back}?code=x&state=forged`);
  const page = await browser.open(back + provider.callback(location).query);
  expect(page.location).toBe("/");
});

test("accepts a response once, even if the cookie is kept", async () => {
  const { browser, location } = await start();
  const stored = browser.cookies.get("oidc")!;
  const { query } = provider.callback(location);
  expect((await browser.open(back + query)).location).toBe("/");
  expect(await browser.open(back + query)).toMatchObject(notStarted);
  browser.cookies.set("oidc", stored);
  expect(await browser.open(back + query)).toMatchObject(notStarted);
});

test("accepts a response only for the contacted provider, and in time", async () => {
  const { browser, location } = await start();
  const { query } = provider.callback(location);
  expect(await browser.open(`/complete/oidc/twin/${query}`)).toMatchObject(notStarted);
  testServer.clock.passSeconds(SIGN_IN_SECONDS);
  expect(await browser.open(back + query)).toMatchObject(notStarted);
});

test("rejects a response that names another provider or none", async () => {
  for (const iss of ["https://evil.example", undefined]) {
    expect((await signInWithClaims({ iss })).page).toMatchObject(notTrusted);
  }
});

test.each([
  ["another nonce", { nonce: "another" }],
  ["no nonce", { nonce: undefined }],
  ["another issuer", { iss: "https://evil.example" }],
  ["another audience", { aud: "another" }],
  ["an audience of many, and for none of them", { aud: [CLIENT.client_id, "x"], azp: "x" }],
  ["a time that is over", { exp: Math.floor(Date.now() / 1000) - 120 }],
  ["no end", { exp: undefined }],
  ["nobody", { sub: undefined }],
  ["an empty name of nobody", { sub: "" }],
  ["another that it was made for", { azp: "another" }],
  ["a time to come", { iat: Math.floor(Date.now() / 1000) + 3_600 }],
])("a token with %s is refused", async (_, token) => {
  provider.token = token;
  const { page, browser } = await signInWithClaims();
  expect(page).toMatchObject(notTrusted);
  expect(browser.cookies.has("sessionid")).toBe(false);
});

test("accepts a token issued to this client, from a clock that is slightly fast", async () => {
  provider.token = { azp: CLIENT.client_id, iat: Math.floor(Date.now() / 1000) + 5 };
  expect((await signInWithClaims()).page.location).toBe("/");
});

test("rejects a token without a signature, or signed by another key", async () => {
  provider.key = otherKey;
  expect((await signInWithClaims()).page).toMatchObject(notTrusted);
  const { browser, location } = await start();
  const { query, nonce } = provider.callback(location);
  const tokenPart = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(Date.now() / 1000) + 60;
  const aud = CLIENT.client_id;
  const claims = { iss: host.url, aud, sub: "7", iat: exp - 60, exp, nonce };
  const fullClaims = { ...claims, email: "bo@example.com", email_verified: true, name: "Bo" };
  provider.idToken = `${tokenPart({ alg: "none" })}.${tokenPart(fullClaims)}.`;
  expect(await browser.open(back + query)).toMatchObject(notTrusted);
});

test("fetches the keys again at once for a key that is unknown, a few times a minute", async () => {
  const fetches = () => provider.asked.filter(({ path }) => path === "/keys").length;
  expect((await signInWithClaims()).page.location).toBe("/");
  expect(fetches()).toBe(1);
  provider.keyId = "two";
  expect((await signInWithClaims()).page.location).toBe("/");
  expect((await signInWithClaims()).page.location).toBe("/");
  expect(fetches()).toBe(2);
  provider.tokenKeyId = "never published";
  for (let index = 0; index < KEY_REFETCHES_PER_MINUTE + 2; index++) {
    expect((await signInWithClaims()).page).toMatchObject(notTrusted);
  }
  expect(fetches()).toBe(1 + KEY_REFETCHES_PER_MINUTE);
});

test("requires userinfo of the same subject, and verification of its address", async () => {
  provider.token = { email_verified: undefined };
  provider.userinfo = { sub: "8", email: "bo@example.com", email_verified: true };
  expect((await signInWithClaims()).page).toMatchObject(notTrusted);
  provider.userinfo = { sub: "7", email_verified: true };
  const refusal = emailNotVerified(DISPLAYED).message;
  expect((await signInWithClaims()).page).toMatchObject({ status: 401, refusal });
  provider.userinfo = { sub: "7", email: "cy@example.com", email_verified: true };
  const { page, browser } = await signInWithClaims();
  expect(page.location).toBe("/");
  expect(await browser.request("GET /users/me")).toMatchObject({ user_id: testServer.idOf("cy") });
});

test("rejects an address that is marked unverified in any source", async () => {
  const refusal = emailNotVerified(DISPLAYED).message;
  const fields = { sub: "7", email: "bo@example.com" };
  provider.token = { name: undefined, email_verified: true };
  provider.userinfo = { ...fields, email_verified: true };
  expect((await signInWithClaims()).page.location).toBe("/");
  provider.userinfo = { ...fields, email_verified: false };
  expect((await signInWithClaims()).page).toMatchObject({ status: 401, refusal });
  provider.token = { name: undefined, email: undefined, email_verified: false };
  provider.userinfo = { ...fields, email_verified: true };
  expect((await signInWithClaims()).page).toMatchObject({ status: 401, refusal });
});

test("shows own texts for provider errors, and nothing of theirs", async () => {
  const more = { code: undefined, error: "server_error", error_description: "<b>call 555</b>" };
  const { page } = await signInWithClaims(more);
  expect(page).toMatchObject({ status: 401, refusal: signInDenied(DISPLAYED).message });
  expect(page.text).not.toContain("555");
});

test("distinguishes a failing provider from a denial", async () => {
  const down = { status: 503, refusal: providerUnavailable(DISPLAYED).message, location: null };
  const { browser, location } = await start();
  const fail = (path: string, status: number, text = "<h1>Oops</h1>") => {
    provider.answers = { [path]: { status, text, type: "text/html" } };
  };
  fail("/token", 502);
  expect(await browser.open(back + provider.callback(location).query)).toMatchObject(down);
  fail("/token", 400, '{"error":"invalid_grant"}');
  expect((await signInWithClaims()).page).toMatchObject(notTrusted);
  fail("/token", 200, "no JSON");
  expect((await signInWithClaims()).page).toMatchObject(notTrusted);
  fail("/keys", 500);
  expect((await signInWithClaims()).page).toMatchObject(down);
});

test("reports an unreachable provider, and works when it is back", async () => {
  const down = { status: 503, refusal: providerUnavailable(DISPLAYED).message, location: null };
  const discovery = "/.well-known/openid-configuration";
  const path = "/accounts/login/social/oidc/main";
  for (const text of ["", "{}", '{"issuer":"https://evil.example"}']) {
    provider.answers = { [discovery]: { status: text === "" ? 503 : 200, text } };
    expect(await new Browser(testServer).open(path)).toMatchObject(down);
  }
  provider.answers = {};
  for (const authorization_endpoint of ["javascript:alert(1)", "/here", undefined]) {
    provider.discovery = { authorization_endpoint };
    expect(await new Browser(testServer).open(path)).toMatchObject(down);
  }
  provider.discovery = {};
  expect((await signInWithClaims()).page.location).toBe("/");
});

test("does not connect to other private addresses because of a provider", async () => {
  const other = await Host.open();
  let calls = 0;
  other.listener = (_, response) => {
    calls += 1;
    response.end("{}");
  };
  provider.discovery = { token_endpoint: `${other.url}/token` };
  const { page } = await signInWithClaims();
  expect(page).toMatchObject({ status: 503, refusal: providerUnavailable(DISPLAYED).message });
  expect(calls).toBe(0);
  await other.close();
});

test("blocks repeated invalid responses without affecting others", async () => {
  provider.answers = { "/token": { status: 400, text: '{"error":"invalid_grant"}' } };
  const forwardedFor = (address: string) => ({ "X-Forwarded-For": address });
  const attempt = async (address: string) => {
    const { browser, location } = await start();
    const path = back + provider.callback(location).query;
    return browser.send("GET", path, undefined, forwardedFor(address));
  };
  for (let tries = 0; tries < SIGN_IN_BY_NETWORK.calls; tries++) await attempt("203.0.113.5");
  const page = await attempt("203.0.113.5");
  expect(page).toMatchObject({
    status: 429,
    refusal: "Too many failed attempts. Try again in 30 minutes.",
  });
  expect(tooManySignIns(1).status).toBe(429);
  expect(await attempt("203.0.113.6")).toMatchObject(notTrusted);
});
