// Requests are counted before authentication, and little of their body is read.
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  bodyTooLarge,
  keyInvalid,
  notLoggedIn,
  rateLimitHit,
  type Refusal,
} from "../../src/contract/errors/general.ts";
import { routes } from "../../src/contract/routes.ts";
import { API_BY_ADDRESS, PAGES } from "../../src/server/limit.ts";
import {
  FORM_BYTES_MAX,
  ANONYMOUS_FORM_BYTES_MAX,
} from "../../src/server/parameters/parameters.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeAll(async () => void (testServer = await startTestServer({ rate_limits: true })));
afterAll(() => testServer.close());

/** Returns the response to a request whose body is never completed. */
async function answerTo(line: string, headers: string[], started: string): Promise<string> {
  const { hostname, port } = new URL(testServer.url);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = "";
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, bytes) {
        text += bytes.toString("latin1");
        if (text.includes("}")) resolve(text);
      },
      close: () => resolve(text),
      error: (_, error) => reject(error),
    },
  });
  const form = "Content-Type: application/x-www-form-urlencoded";
  socket.write(
    `${[`${line} HTTP/1.1`, "Host: town", form, ...headers].join("\r\n")}\r\n\r\n${started}`,
  );
  const response = await promise;
  socket.terminate();
  return response;
}

const contentLength = (bytes: number) => `Content-Length: ${bytes}`;
const forwardedFor = (address: string) => `X-Forwarded-For: ${address}`;
const wrong = `Authorization: Basic ${btoa(`bo@example.com:${"x".repeat(32)}`)}`;
const containsSecret = (response: string, { status, message }: Refusal) => {
  expect(response).toStartWith(`HTTP/1.1 ${status} `);
  expect(response).toContain(JSON.stringify(message).slice(1, -1));
};

test("rejects a long body of an unknown caller unread if the route needs one", async () => {
  const long = contentLength(ANONYMOUS_FORM_BYTES_MAX + 1);
  containsSecret(await answerTo("POST /api/v1/messages", [long], "a=b"), notLoggedIn());
  containsSecret(await answerTo("POST /api/v1/messages", [long, wrong], "a=b"), keyInvalid());
  containsSecret(await answerTo("POST /api/v1/fetch_api_key", [long], "a=b"), bodyTooLarge());
  containsSecret(await answerTo("POST /login/", [long], "a=b"), bodyTooLarge());
});

test("reads a body without a length up to the limit of unknown callers", async () => {
  const chunk = "x".repeat(ANONYMOUS_FORM_BYTES_MAX + 1);
  const started = `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
  const chunked = "Transfer-Encoding: chunked";
  containsSecret(await answerTo("POST /api/v1/messages", [chunked], started), notLoggedIn());
  containsSecret(await answerTo("POST /api/v1/fetch_api_key", [chunked], started), bodyTooLarge());
});

test("accepts form-sized bodies of known callers", async () => {
  const content = "x".repeat(ANONYMOUS_FORM_BYTES_MAX);
  const drawn = await testServer.send("bo", "POST /messages/render", { content });
  expect(drawn.status).toBe(200);
  const authorization = `Authorization: ${testServer.basicAuthorization("bo")}`;
  const long = contentLength(FORM_BYTES_MAX + 1);
  containsSecret(
    await answerTo("POST /api/v1/messages/render", [long, authorization], "a=b"),
    bodyTooLarge(),
  );
});

test("rejects excessive requests before their body", async () => {
  const headers = { "X-Forwarded-For": "203.0.113.1" };
  for (let call = 0; call < API_BY_ADDRESS.calls; call++) {
    await fetch(`${testServer.url}/api/v1/server_settings`, { headers });
  }
  const response = await answerTo(
    "POST /api/v1/messages",
    [contentLength(100), forwardedFor("203.0.113.1")],
    "a",
  );
  expect(response).toStartWith("HTTP/1.1 429 ");
  expect(response).toContain(rateLimitHit(1).message);
});

test("counts requests for server settings by address", async () => {
  const headers = { Authorization: testServer.basicAuthorization("bo") };
  const remainingRequests = async (path: string) => {
    const response = await fetch(`${testServer.url}/api/v1/${path}`, { headers });
    return Number(response.headers.get("x-ratelimit-remaining"));
  };
  const own = await remainingRequests("users/me");
  const first = await remainingRequests("server_settings");
  expect(await remainingRequests("server_settings")).toBe(first - 1);
  expect(await remainingRequests("users/me")).toBe(own - 1);
});

test("counts pages separately from API requests, and does not count their resources", async () => {
  const headers = { "X-Forwarded-For": "203.0.113.2" };
  const statusOf = async (path: string, init: RequestInit = {}) => {
    const params = { headers, redirect: "manual", ...init } as const;
    return (await fetch(testServer.url + path, params)).status;
  };
  for (let call = 0; call < PAGES.calls; call++) expect(await statusOf("/login/")).toBe(200);
  expect(await statusOf("/login/")).toBe(429);
  expect(await statusOf("/accounts/find/", { method: "POST" })).toBe(429);
  expect(await statusOf("/api/v1/server_settings")).toBe(200);
  const beside = ["/", "/livez", "/readyz", "/health", "/static/emoji.json", "/avatar/1"];
  for (const path of beside) {
    expect([path, await statusOf(path)]).not.toEqual([path, 429]);
  }
});

test("lets twelve users behind one address sign in at the same time", async () => {
  const headers = { "X-Forwarded-For": "203.0.113.3" };
  for (let person = 0; person < 12; person++) {
    for (const path of ["/", "/login/", "/login/", "/static/passkeys.js", "/", "/readyz"]) {
      const { status } = await fetch(testServer.url + path, { headers, redirect: "manual" });
      expect(status).toBeLessThan(400);
    }
    const settings = await fetch(`${testServer.url}/api/v1/server_settings`, { headers });
    expect(settings.status).toBe(200);
  }
});

test("counts everything that makes changes", () => {
  const free = routes.filter(({ mark }) => mark === "free");
  expect(free.length).toBeGreaterThan(10);
  for (const { method, path } of free) {
    expect([path, method]).toEqual([path, "GET"]);
    const others = routes.filter((route) => route.path === path && route.method !== "GET");
    expect([path, ...others]).toEqual([path]);
    expect(path).toStartWith("root:/");
  }
});
