// Every response has the security headers that limit what browsers do with it.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { routes } from "../src/contract/routes.ts";
import { addressOf } from "../src/server/routing.ts";
import { read, striped, upload } from "./features/upload-fixture.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

let testServer: TestServer;
let plain: TestServer;
beforeAll(async () => {
  testServer = await startTestServer({ url: "https://chat.example.com", rate_limits: true });
  plain = await startTestServer();
});
afterAll(async () => {
  await testServer.close();
  await plain.close();
});

/** Paths at which programs on other sites can use API keys. */
const REQUEST = ["/api/", "/thumbnail", "/avatar/", "/user_uploads/"];
const READ = [...REQUEST, "/static/"];
const READABLE_PREFIXES = [...READ, "/external_content/", "/user_avatars/"];
const METHODS = "GET, POST, DELETE, PUT, PATCH, HEAD";

/** Returns what is wrong with a response; empty if nothing is. */
function faultsOf(line: string, { headers, status }: Response): string[] {
  const path = line.split(" ")[1]!;
  const isAmong = (beginnings: string[]) =>
    beginnings.some((beginning) => path.startsWith(beginning));
  const expected = {
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": isAmong(READABLE_PREFIXES) ? "cross-origin" : "same-origin",
    "access-control-allow-origin": isAmong(READ) ? "*" : null,
    "access-control-allow-headers": isAmong(REQUEST) ? "Authorization" : null,
    "access-control-allow-methods": isAmong(REQUEST) ? METHODS : null,
    "access-control-allow-credentials": null,
    "strict-transport-security": "max-age=31536000",
  };
  return Object.entries(expected).flatMap(([name, value]) => {
    const input = headers.get(name);
    return input === value ? [] : [`${line}: ${status} with ${name} ${input}`];
  });
}

const lines = routes.map((route) => {
  const path = addressOf(route).replaceAll(/\{\w+\*?\}/g, "1");
  return `${route.method} ${path}`;
});

async function request(line: string, headers: Record<string, string>): Promise<Response> {
  const [method, path] = line.split(" ") as [string, string];
  return fetch(testServer.url + path, { method, headers, redirect: "manual" });
}

test.each(["olga", null] as const)("every request of %s, whatever the response", async (name) => {
  const headers: Record<string, string> = name
    ? { Authorization: testServer.basicAuthorization(name) }
    : {};
  const faults: string[] = [];
  const statuses = new Set<number>();
  const skipped = /^DELETE .*\/events|regenerate|deactivate|^DELETE \/api\/v1\/users\/me$/;
  for (const line of lines.filter((line) => !skipped.test(line))) {
    for (const method of ["", "HEAD", "OPTIONS"]) {
      if (method === "HEAD" && !line.startsWith("GET ")) continue;
      const put = method === "" ? line : line.replace(/^\w+/, method);
      const response = await request(put, headers);
      statuses.add(response.status);
      faults.push(...faultsOf(put, response));
      await response.body?.cancel();
    }
  }
  expect(faults).toEqual([]);
  // There are responses of each kind.
  expect([...statuses].sort()).toContain(429);
});

test("including cached, compressed and missing resources", async () => {
  const url = await upload(plain, "bo", { name: "p.png", bytes: striped(9, 9) });
  const ownFile = await upload(testServer, "bo", { name: "p.png", bytes: striped(9, 9) });
  const { avatar_url } = (await testServer.request("bo", "GET /users/me")) as {
    avatar_url: string;
  };
  const queue = await testServer.listen("bo");
  const pollRequest = `GET /api/v1/events?queue_id=${queue.queue_id}&last_event_id=-1`;
  const polled = read(testServer, "bo", pollRequest.slice(4));
  await testServer.request("bo", "POST /users/me/status", { status_text: "x" });
  const paths = [
    "/livez",
    "/login/",
    "/static/emoji.json",
    "/nothing",
    "/api/v1/nothing",
    "//x",
    avatar_url,
    ownFile,
  ];
  for (const path of paths)
    expect(faultsOf(`GET ${path}`, await read(testServer, "bo", path))).toEqual([]);
  expect(faultsOf(pollRequest, await polled)).toEqual([]);
  const { headers, status } = await read(plain, "bo", url);
  expect([status, headers.get("strict-transport-security")]).toEqual([200, null]);
});
