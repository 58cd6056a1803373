// Trusted proxies and the addresses that they report.
import { expect, test } from "bun:test";
import type { Config } from "../../src/contract/config.ts";
import { routes } from "../../src/contract/routes.ts";
import { startAttempt, SIGN_IN_BY_NETWORK } from "../../src/features/passwords/attempts.ts";
import { rangesOf } from "../../src/outbound/addresses.ts";
import { App } from "../../src/server/app.ts";
import { addressOf } from "../../src/server/caller/proxies.ts";
import { anyHost } from "../../src/server/hosts.ts";
import { RequestObserver } from "../../src/server/insight/observe.ts";
import { openLog } from "../../src/server/log.ts";
import { RouteTable } from "../../src/server/routing.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

const proxies = rangesOf(["172.17.0.1", "fd00::/8"]);
const header = "Remote-Email";
const trusted_proxy = { ranges: rangesOf(["10.0.0.5"]), header };

const clientAddress = (peer: string, received?: string, config: Partial<Config> = { proxies }) => {
  const headers = new Headers();
  if (received !== undefined) headers.set("X-Forwarded-For", received);
  const request = new Request("http://chat.example/", { headers });
  return addressOf(
    { request, peers: { requestIP: () => ({ address: peer }), timeout: () => {} } },
    config,
  );
};

test.each([
  ["127.0.0.1", undefined, "127.0.0.1"],
  ["127.0.0.1", "203.0.113.9", "203.0.113.9"],
  ["::1", "198.51.100.7, 203.0.113.9", "203.0.113.9"],
  ["172.17.0.1", "203.0.113.9", "203.0.113.9"],
  ["::ffff:172.17.0.1", "203.0.113.9", "203.0.113.9"],
  ["fd00::2", "2001:db8::9", "2001:db8::9"],
  // Two proxies; entries written by the client are ignored.
  ["127.0.0.1", "1.1.1.1, 203.0.113.9, 172.17.0.1", "203.0.113.9"],
  ["172.17.0.1", "127.0.0.1, 203.0.113.9", "203.0.113.9"],
  ["172.17.0.2", "203.0.113.9", "172.17.0.2"],
  ["203.0.113.9", "127.0.0.1", "203.0.113.9"],
  ["172.17.0.1", undefined, "172.17.0.1"],
  ["172.17.0.1", "unknown", "172.17.0.1"],
  ["172.17.0.1", "", "172.17.0.1"],
  ["127.0.0.1", "203.0.113.9:4711", "203.0.113.9"],
  ["127.0.0.1", "[2001:db8::9]:4711", "2001:db8::9"],
])("peer %s with the header %p: the client address is %s", (peer, received, address) => {
  expect(clientAddress(peer, received)).toBe(address);
});

test("trusts a proxy that authenticates users", () => {
  expect(clientAddress("10.0.0.5", "203.0.113.9", { trusted_proxy })).toBe("203.0.113.9");
  expect(clientAddress("10.0.0.6", "203.0.113.9", { trusted_proxy })).toBe("10.0.0.6");
});

/** Sends requests to the test server from `peer`, the remote address of the connection. */
function send(testServer: TestServer, config: Partial<Config>, lines: string[] = []) {
  const table = new RouteTable(routes);
  const log = openLog({ log: "json" }, (line) => void lines.push(line));
  const app = new App(
    anyHost(testServer.realm),
    { rate_limits: true, url: "", ...config },
    log,
    new RequestObserver({}, log, undefined),
    table,
  );
  return async (peer: string, path: string, init: RequestInit = {}) => {
    const request = new Request(`http://chat.example${path}`, init);
    const peers = { requestIP: () => ({ address: peer }), timeout: () => {} };
    return app.respond(request, table.at(path), peers);
  };
}

test("blocks only the attacker behind a configured bridge", async () => {
  const testServer = await startTestServer({ rate_limits: true, proxies });
  const request = send(testServer, { proxies });
  const tryKey = (unknown: string, index: number) => {
    const body = new URLSearchParams({ username: `no${index}@example.com`, password: "wrong" });
    const headers = { "X-Forwarded-For": unknown };
    return request("172.17.0.1", "/api/v1/fetch_api_key", { method: "POST", headers, body });
  };
  for (let index = 0; index < SIGN_IN_BY_NETWORK.calls; index++) {
    startAttempt(testServer.realm, `name ${index}`, "203.0.113.9");
  }
  expect((await tryKey("203.0.113.9", 1)).status).toBe(429);
  expect((await tryKey("203.0.113.10", 2)).status).toBe(401);
  await testServer.close();
});

test("warns once about requests without client addresses behind https", async () => {
  const lines: string[] = [];
  const testServer = await startTestServer({ url: "https://chat.example", proxies });
  const requestInit = { headers: { "X-Forwarded-For": "203.0.113.9" } };
  const request = send(testServer, { proxies }, lines);
  await request("127.0.0.1", "/livez");
  await request("127.0.0.1", "/login/", requestInit);
  expect(lines).toEqual([]);
  await request("172.17.0.9", "/login/", requestInit);
  await request("127.0.0.1", "/login/");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: "warn", from: "172.17.0.9" }),
  ]);
  expect(lines[0]).toContain("--proxies");
  await testServer.close();
});

test("warns once about https requests with an http URL", async () => {
  const lines: string[] = [];
  const testServer = await startTestServer({ proxies });
  const request = send(testServer, { proxies }, lines);
  const headers = { "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https" };
  await request("203.0.113.9", "/login/", { headers });
  expect(lines).toEqual([]);
  await request("172.17.0.1", "/login/", { headers });
  await request("172.17.0.1", "/login/", { headers });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("--url");
  await testServer.close();
});

test("only a trusted proxy determines the scheme", async () => {
  const testServer = await startTestServer({ proxies });
  Object.assign(testServer.realm.config, { is_url_guessed: true });
  const request = send(testServer, { proxies });
  const https = { "X-Forwarded-Proto": "https" };
  const page = (peer: string, headers: Record<string, string>) =>
    request(peer, "/login/", { headers: { ...headers, "Sec-Fetch-Mode": "navigate" } });
  const cookieIn = (response: Response) => response.headers.get("set-cookie")!.split(";", 1)[0]!;
  const settings = async (peer: string) =>
    (await (await request(peer, "/api/v1/server_settings", { headers: https })).json()).realm_url;
  for (const peer of ["172.17.0.1", "127.0.0.1"]) {
    const httpsPage = await page(peer, https);
    expect(httpsPage.headers.get("strict-transport-security")).toContain("max-age=");
    expect(httpsPage.headers.get("set-cookie")).toMatch(/^__Host-csrftoken=.*; Secure/);
    expect(await settings(peer)).toBe("https://chat.example");
    const plainPage = await page(peer, { "X-Forwarded-Proto": "http" });
    expect(plainPage.headers.get("strict-transport-security")).toBe(null);
    expect(plainPage.headers.get("set-cookie")).toMatch(/^csrftoken=(?!.*Secure)/);
    // The cookie that the browser returns has the same name and scheme.
    const postSignIn = async (origin: string, cookie: string, headers: Record<string, string>) => {
      const csrfmiddlewaretoken = cookie.split("=")[1]!;
      const form = { username: "bo@example.com", password: "wrong", csrfmiddlewaretoken };
      const body = new URLSearchParams(form);
      const payload = { ...headers, Cookie: cookie, Origin: origin, Host: "chat.example" };
      return (await request(peer, "/login/", { method: "POST", headers: payload, body })).status;
    };
    expect(await postSignIn("https://chat.example", cookieIn(httpsPage), https)).not.toBe(403);
    expect(await postSignIn("http://chat.example", cookieIn(httpsPage), https)).toBe(403);
    expect(await postSignIn("https://chat.example", cookieIn(httpsPage), {})).toBe(403);
  }
  const unexpected = await page("203.0.113.9", https);
  expect(unexpected.headers.get("strict-transport-security")).toBe(null);
  expect(unexpected.headers.get("set-cookie")).toMatch(/^csrftoken=(?!.*Secure)/);
  expect(await settings("203.0.113.9")).toBe(testServer.realm.config.url);
  Object.assign(testServer.realm.config, { is_url_guessed: false });
  expect(await settings("172.17.0.1")).toBe(testServer.realm.config.url);
  await testServer.close();
});
