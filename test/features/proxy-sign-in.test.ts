// Signing in by a header of a proxy that has authenticated the user.
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  noAccountYet,
  proxyUserUnknown,
  signInDeactivated,
  signInMethodOff,
} from "../../src/contract/errors/people.ts";
import { rangesOf } from "../../src/outbound/addresses.ts";
import { Browser } from "../browser.ts";
import { keyIn, OTP, ownerOf } from "../otp.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let proxiedServer: TestServer;
let remoteServer: TestServer;
const header = "Remote-Email";
const trusted_proxy = { ranges: rangesOf(["127.0.0.0/8", "::1"]), header };
const path = "/accounts/login/sso/";
const nobody = { status: 401, refusal: proxyUserUnknown().message, location: null };

beforeEach(async () => {
  proxiedServer = await startTestServer({ trusted_proxy });
  remoteServer = await startTestServer({
    trusted_proxy: { ranges: rangesOf(["192.0.2.1"]), header },
  });
});
afterEach(async () => {
  await proxiedServer?.close();
  await remoteServer?.close();
});

async function openWithHeaders(
  testServer: TestServer,
  headers: Record<string, string>,
  query = "",
) {
  const browser = new Browser(testServer);
  const page = await browser.send("GET", path + query, undefined, headers);
  return { browser, page };
}

test("signs in the user that the proxy names", async () => {
  const { browser, page } = await openWithHeaders(
    proxiedServer,
    { "remote-email": " Bo@Example.com " },
    "?next=/x",
  );
  expect(page).toMatchObject({ status: 302, location: "/x" });
  expect(await browser.request("GET /users/me")).toMatchObject({
    user_id: proxiedServer.idOf("bo"),
  });
  const [session] = proxiedServer.realm.read.sessions.listBy("user", proxiedServer.idOf("bo"));
  expect(session!.method).toBe("RemoteUser");
});

test("gives an app behind the proxy a key that only it can decrypt", async () => {
  const userHeader = { [header]: "bo@example.com" };
  const { browser, page: requested } = await openWithHeaders(
    proxiedServer,
    userHeader,
    `?mobile_flow_otp=${OTP}`,
  );
  expect(requested).toMatchObject({ status: 200, location: null });
  const page = await browser.submit("/accounts/login/app/confirm/");
  expect(await ownerOf(proxiedServer.url, "bo@example.com", keyIn(page.location))).toBe(
    proxiedServer.idOf("bo"),
  );
  const bad = await proxiedServer.refused(null, "GET //accounts/login/sso/", {
    mobile_flow_otp: "x",
  });
  expect(bad).toMatchObject({ status: 400, msg: "Invalid OTP" });
});

test("ignores the header from other addresses, whatever they claim", async () => {
  const claims = ["X-Forwarded-For", "X-Real-IP", "Forwarded", "Client-IP"];
  for (const claim of [...claims, "X-Forwarded-Host"]) {
    const headers = { [header]: "olga@example.com", [claim]: "192.0.2.1" };
    const { page, browser } = await openWithHeaders(remoteServer, headers);
    expect(page).toMatchObject(nobody);
    expect(browser.cookies.has("sessionid")).toBe(false);
  }
  const directResponse = await openWithHeaders(proxiedServer, {
    [header]: "bo@example.com",
    "X-Forwarded-For": "203.0.113.1",
  });
  expect(directResponse.page.location).toBe("/");
});

test("uses the header only on this page", async () => {
  const headers = { [header]: "olga@example.com" };
  const response = await fetch(`${proxiedServer.url}/json/users/me`, { headers });
  expect(response.status).toBe(401);
  const page = await new Browser(proxiedServer).send("GET", "/login/", undefined, headers);
  expect(page.text).toContain(`href="${path}"`);
});

test("accepts only a single valid address in the header", async () => {
  const empty: Record<string, string>[] = [
    {},
    { [header]: "" },
    { "Remote-User": "bo@example.com" },
    { [header]: "bo" },
  ];
  for (const headers of empty)
    expect((await openWithHeaders(proxiedServer, headers)).page).toMatchObject(nobody);
  const repeatedHeader = new Headers([[header, "bo@example.com"]]);
  repeatedHeader.append(header, "cy@example.com");
  const response = await fetch(proxiedServer.url + path, {
    headers: repeatedHeader,
    redirect: "manual",
  });
  expect(response.status).toBe(401);
});

test("lists the method to clients, and lets the organization disable it", async () => {
  const response = await proxiedServer.request(null, "GET /server_settings");
  expect(response.authentication_methods.remoteuser).toBe(true);
  expect(response.external_authentication_methods[0]).toMatchObject({
    name: "remoteuser",
    login_url: path,
  });
  await proxiedServer.request("olga", "PATCH /realm", {
    authentication_methods: { RemoteUser: false },
  });
  const { page } = await openWithHeaders(proxiedServer, { [header]: "bo@example.com" });
  expect(page).toMatchObject({ status: 401, refusal: signInMethodOff().message });
  const after = await proxiedServer.request(null, "GET /server_settings");
  expect(after.authentication_methods.remoteuser).toBe(false);
  await proxiedServer.request("olga", "PATCH /realm", {
    authentication_methods: { RemoteUser: true },
  });
});

test("rejects the page if no proxy is configured", async () => {
  const serverWithoutProxy = await startTestServer();
  const { page } = await openWithHeaders(serverWithoutProxy, { [header]: "bo@example.com" });
  expect(page).toMatchObject({ status: 401, refusal: signInMethodOff().message });
  await serverWithoutProxy.close();
});

test("treats users without an account or with a deactivated one as everywhere", async () => {
  const outsider = { [header]: "new@example.com" };
  await proxiedServer.request("olga", "PATCH /realm", { invite_required: true });
  const refusal = noAccountYet("new@example.com").message;
  expect((await openWithHeaders(proxiedServer, outsider)).page).toMatchObject({
    status: 401,
    refusal,
  });
  await proxiedServer.request("olga", "PATCH /realm", { invite_required: false });
  const { browser, page } = await openWithHeaders(proxiedServer, outsider);
  await browser.open(page.location!);
  await browser.submit(page.location!, { full_name: "New Person" });
  expect(await browser.request("GET /users/me")).toMatchObject({ email: "new@example.com" });
  await proxiedServer.request("olga", `DELETE /users/${proxiedServer.idOf("mo")}`);
  const off = await openWithHeaders(proxiedServer, { [header]: "mo@example.com" });
  expect(off.page).toMatchObject({ status: 401, refusal: signInDeactivated().message });
});
