// Signing in by a header of a proxy that has authenticated the user.
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  noAccountYet,
  proxyNamesNobody,
  signInDeactivated,
  signInMethodOff,
} from "../../src/contract/errors/people.ts";
import { rangesOf } from "../../src/outbound/addresses.ts";
import { Browser } from "../browser.ts";
import { keyIn, OTP, ownerOf } from "../otp.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let near: TestServer;
let far: TestServer;
const header = "Remote-Email";
const trusted_proxy = { ranges: rangesOf(["127.0.0.0/8", "::1"]), header };
const path = "/accounts/login/sso/";
const nobody = { status: 401, refusal: proxyNamesNobody().message, location: null };

beforeEach(async () => {
  near = await startTestServer({ trusted_proxy });
  far = await startTestServer({ trusted_proxy: { ranges: rangesOf(["192.0.2.1"]), header } });
});
afterEach(async () => {
  await near?.close();
  await far?.close();
});

async function arrive(testServer: TestServer, headers: Record<string, string>, query = "") {
  const browser = new Browser(testServer);
  const page = await browser.send("GET", path + query, undefined, headers);
  return { browser, page };
}

test("signs in the user that the proxy names", async () => {
  const { browser, page } = await arrive(near, { "remote-email": " Bo@Example.com " }, "?next=/x");
  expect(page).toMatchObject({ status: 302, location: "/x" });
  expect(await browser.request("GET /users/me")).toMatchObject({ user_id: near.idOf("bo") });
  const [session] = near.realm.read.sessions.listBy("user", near.idOf("bo"));
  expect(session!.method).toBe("RemoteUser");
});

test("gives an app behind the proxy a key that only it can decrypt", async () => {
  const named = { [header]: "bo@example.com" };
  const { browser, page: requested } = await arrive(near, named, `?mobile_flow_otp=${OTP}`);
  expect(requested).toMatchObject({ status: 200, location: null });
  const page = await browser.submit("/accounts/login/app/confirm/");
  expect(await ownerOf(near.url, "bo@example.com", keyIn(page.location))).toBe(near.idOf("bo"));
  const bad = await near.refused(null, "GET //accounts/login/sso/", { mobile_flow_otp: "x" });
  expect(bad).toMatchObject({ status: 400, msg: "Invalid OTP" });
});

test("ignores the header from other addresses, whatever they claim", async () => {
  const claims = ["X-Forwarded-For", "X-Real-IP", "Forwarded", "Client-IP"];
  for (const claim of [...claims, "X-Forwarded-Host"]) {
    const headers = { [header]: "olga@example.com", [claim]: "192.0.2.1" };
    const { page, browser } = await arrive(far, headers);
    expect(page).toMatchObject(nobody);
    expect(browser.cookies.has("sessionid")).toBe(false);
  }
  const elsewhere = await arrive(near, {
    [header]: "bo@example.com",
    "X-Forwarded-For": "203.0.113.1",
  });
  expect(elsewhere.page.location).toBe("/");
});

test("uses the header only on this page", async () => {
  const headers = { [header]: "olga@example.com" };
  const response = await fetch(`${near.url}/json/users/me`, { headers });
  expect(response.status).toBe(401);
  const page = await new Browser(near).send("GET", "/login/", undefined, headers);
  expect(page.text).toContain(`href="${path}"`);
});

test("accepts only a single valid address in the header", async () => {
  const empty: Record<string, string>[] = [
    {},
    { [header]: "" },
    { "Remote-User": "bo@example.com" },
    { [header]: "bo" },
  ];
  for (const headers of empty) expect((await arrive(near, headers)).page).toMatchObject(nobody);
  const two = new Headers([[header, "bo@example.com"]]);
  two.append(header, "cy@example.com");
  const response = await fetch(near.url + path, { headers: two, redirect: "manual" });
  expect(response.status).toBe(401);
});

test("lists the method to clients, and lets the organization disable it", async () => {
  const response = await near.request(null, "GET /server_settings");
  expect(response.authentication_methods.remoteuser).toBe(true);
  expect(response.external_authentication_methods[0]).toMatchObject({
    name: "remoteuser",
    login_url: path,
  });
  await near.request("olga", "PATCH /realm", { authentication_methods: { RemoteUser: false } });
  const { page } = await arrive(near, { [header]: "bo@example.com" });
  expect(page).toMatchObject({ status: 401, refusal: signInMethodOff().message });
  const after = await near.request(null, "GET /server_settings");
  expect(after.authentication_methods.remoteuser).toBe(false);
  await near.request("olga", "PATCH /realm", { authentication_methods: { RemoteUser: true } });
});

test("rejects the page if no proxy is configured", async () => {
  const bare = await startTestServer();
  const { page } = await arrive(bare, { [header]: "bo@example.com" });
  expect(page).toMatchObject({ status: 401, refusal: signInMethodOff().message });
  await bare.close();
});

test("treats users without an account or with a deactivated one as everywhere", async () => {
  const outsider = { [header]: "new@example.com" };
  await near.request("olga", "PATCH /realm", { invite_required: true });
  const refusal = noAccountYet("new@example.com").message;
  expect((await arrive(near, outsider)).page).toMatchObject({ status: 401, refusal });
  await near.request("olga", "PATCH /realm", { invite_required: false });
  const { browser, page } = await arrive(near, outsider);
  await browser.open(page.location!);
  await browser.submit(page.location!, { full_name: "New Person" });
  expect(await browser.request("GET /users/me")).toMatchObject({ email: "new@example.com" });
  await near.request("olga", `DELETE /users/${near.idOf("mo")}`);
  const off = await arrive(near, { [header]: "mo@example.com" });
  expect(off.page).toMatchObject({ status: 401, refusal: signInDeactivated().message });
});
