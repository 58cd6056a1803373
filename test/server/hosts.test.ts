// Hosts of organizations, hosts of the server itself, and unknown hosts.
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  hostRepeated,
  hostUnknown,
  rateLimitHit,
  subdomainInvalid,
} from "../../src/contract/errors/general.ts";
import { hostName, subdomainOf } from "../../src/server/hosts.ts";
import {
  type TwoOrganizations,
  EAST,
  startTwoOrganizations,
  ROOT,
  WEST,
} from "../two-organizations.ts";
import { sendRaw } from "./sample-server.ts";

const SETTINGS = "/api/v1/server_settings";

let twoOrganizations: TwoOrganizations;
beforeAll(async () => {
  twoOrganizations = await startTwoOrganizations();
});
afterAll(() => twoOrganizations.close());

const urlAt = async (host: string, headers: Record<string, string> = {}) =>
  (await twoOrganizations.request(host, SETTINGS, headers)).body.realm_url;

test.each([
  ["chat.example.com", "chat.example.com"],
  ["Chat.EXAMPLE.com", "chat.example.com"],
  ["chat.example.com:9400", "chat.example.com"],
  ["chat.example.com.", "chat.example.com"],
  ["chat.example.com.:80", "chat.example.com"],
  ["[::1]", "[::1]"],
  ["[0:0:0:0:0:0:0:1]:9400", "[::1]"],
  ["127.0.0.1:9400", "127.0.0.1"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["", ""],
  ["a b", ""],
  ["x@chat.example.com", ""],
  ["chat.example.com/x", ""],
  ["chat.example.com?", ""],
  ["chat.example.com#", ""],
  ["x\\chat.example.com", ""],
  [":9400", ""],
])("of the host %j the name is %j", (host, name) => {
  expect(hostName(host)).toBe(name);
});

test("the first label before the server's host is the organization", () => {
  expect(subdomainOf("https://east.example.com", "example.com")).toBe("east");
  expect(subdomainOf("https://a.b.example.com:8443", "Example.com.")).toBe("a.b");
  expect(subdomainOf("https://example.com", "example.com")).toBe("");
  expect(subdomainOf("https://east.example.org", "example.com")).toBe("east.example.org");
  expect(subdomainOf("https://myexample.com", "example.com")).toBe("myexample.com");
});

test("each organization responds at its host, in any spelling", async () => {
  for (const host of [EAST, "EAST.example.COM", `${EAST}:80`, `${EAST}.`, `${EAST}:9400`]) {
    expect(await urlAt(host)).toBe(`http://${EAST}`);
  }
  expect(await urlAt(WEST)).toBe(`http://${WEST}`);
});

test("the server's own host describes the server, and no organization", async () => {
  const { status, body } = await twoOrganizations.request(ROOT, SETTINGS);
  expect(status).toBe(200);
  expect(body).toMatchObject({ zulip_feature_level: 500, is_incompatible: false });
  expect(body.authentication_methods).toMatchObject({ password: true, ldap: false });
  expect(Object.keys(body).filter((key) => key.startsWith("realm_"))).toEqual([]);
  expect(body.external_authentication_methods).toEqual([]);
  const response = await twoOrganizations.request(ROOT, SETTINGS, {
    "User-Agent": "ZulipInvalid/1.0",
  });
  expect(response.body.is_incompatible).toBe(true);
});

test("requests to other hosts are rejected", async () => {
  const nobody = ["nowhere.example.com", "127.0.0.1", "deep.east.example.com", "[::1]"];
  const unknown = hostUnknown();
  const Authorization = twoOrganizations.east.basicAuthorization("olga");
  for (const host of nobody) {
    const { status, body } = await twoOrganizations.request(host, SETTINGS);
    expect([status, body.code, body.msg]).toEqual([400, "BAD_REQUEST", subdomainInvalid().message]);
    expect(body).not.toHaveProperty("realm_name");
  }
  const pages = ["/register/", "/", "/login/", "/accounts/go/", "/accounts/find/"];
  for (const host of [ROOT, ...nobody]) {
    const closed = host === ROOT ? ["/register/", "/account/"] : pages;
    for (const path of ["/api/v1/users/me", "/api/v1/no/such/path", ...closed]) {
      const { status, body } = await twoOrganizations.request(host, path, { Authorization });
      expect([status, body.code, body.msg]).toEqual([404, unknown.errCode, "Invalid subdomain"]);
    }
  }
  const posted = await fetch(twoOrganizations.url + SETTINGS, {
    method: "POST",
    headers: { Host: ROOT },
  });
  expect(posted.status).toBe(404);
});

test("a probe need not name an organization", async () => {
  for (const host of [EAST, ROOT, "127.0.0.1:9400"]) {
    for (const path of ["/livez", "/readyz"]) {
      expect(await twoOrganizations.request(host, path)).toEqual({ status: 200, body: "ok\n" });
    }
    expect((await twoOrganizations.request(host, "/health")).body).toEqual({
      result: "success",
      msg: "",
    });
  }
  const response = await sendRaw(twoOrganizations.url, "GET /readyz HTTP/1.0\r\n\r\n");
  expect(response).toStartWith("HTTP/1.1 200");
});

test("a local proxy passes the client's host", async () => {
  expect(await urlAt("127.0.0.1:9400", { "X-Forwarded-Host": WEST })).toBe(`http://${WEST}`);
  expect(await urlAt(EAST, { "X-Forwarded-Host": `${EAST}, ${WEST}:443` })).toBe(`http://${WEST}`);
  expect(await urlAt(EAST, { "X-Forwarded-Host": " " })).toBe(`http://${EAST}`);
});

test("a used name is not available to others", async () => {
  const verdict = async (host: string, name: string) =>
    (await twoOrganizations.request(host, `/api/v1/realm/subdomain/${name}`)).body.msg;
  for (const host of [EAST, ROOT]) {
    expect(await verdict(host, "east")).toBe(
      "Subdomain already in use. Please choose a different one.",
    );
    expect(await verdict(host, "north")).toBe("available");
    expect(await verdict(host, "a")).toContain("length 3");
  }
});

test("counts requests at unknown hosts too", async () => {
  const limited = await startTwoOrganizations({ rate_limits: true });
  const params = await Promise.all(
    Array.from({ length: 100 }, () => limited.request(ROOT, SETTINGS)),
  );
  expect(params.every(({ status }) => status === 200)).toBe(true);
  const { status, body } = await limited.request("nowhere.example.com", SETTINGS);
  expect([status, body.code]).toEqual([429, rateLimitHit(1).errCode]);
  expect((await limited.request(EAST, SETTINGS)).status).toBe(200);
  await limited.close();
});

test.each([
  ["two", ["Host: east.example.com", "Host: west.example.com"]],
  ["the same twice", ["Host: east.example.com", "host: east.example.com"]],
  ["one with a comma", ["Host: east.example.com, west.example.com"]],
])("refuses a request with %s Host headers", async (_, hosts) => {
  for (const path of [SETTINGS, "/api/v1/events", "/login/", "/livez", "/nowhere"]) {
    const head = [`GET ${path} HTTP/1.1`, ...hosts, "Connection: close"].join("\r\n");
    const response = await sendRaw(twoOrganizations.url, `${head}\r\n\r\n`);
    expect({ path, told: response.split("\r\n")[0] }).toEqual({
      path,
      told: "HTTP/1.1 400 Bad Request",
    });
    if (path === SETTINGS) expect(response).toContain(hostRepeated().message);
  }
});
