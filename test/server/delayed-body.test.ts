/** Responses with a delayed body keep the context of their request. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { LaterText, openEndpoint } from "../../src/endpoint.ts";
import { anyone } from "../../src/server/gate.ts";
import type { Route } from "../../src/server/routing.ts";
import { type CountingServer, open } from "./sample-server.ts";

const SHORT = '{"result":"success","msg":"","said":"é☃"}';
const LONG_BODY = JSON.stringify({ result: "success", msg: "", said: "x".repeat(4_000) });

let started = Promise.withResolvers<LaterText>();
const delayedEndpoint = openEndpoint({
  summary: "A thing",
  tag: "Server",
  params: {},
  run: () => {
    const text = new LaterText();
    started.resolve(text);
    return text;
  },
});
const delayed = openEndpoint({
  summary: "A thing",
  tag: "Server",
  params: {},
  run: async (context, params) => {
    await Promise.resolve();
    return delayedEndpoint.run(context, params);
  },
});
const routes: Route[] = [
  { method: "GET", path: "/later", gate: anyone, endpoint: delayedEndpoint },
  { method: "GET", path: "/much-later", gate: anyone, endpoint: delayed },
];

let counter: CountingServer;
beforeAll(async () => void (counter = await open(routes, { rate_limits: true })));
afterAll(() => counter.stop());

/** Sends a request, and provides the text once the endpoint waits for it. */
async function read(text: string, query = "", accepted = "identity", path = "/later") {
  started = Promise.withResolvers();
  const headers = { "Accept-Encoding": accepted };
  const requested = fetch(`${counter.url}/api/v1${path}${query}`, { headers, decompress: false });
  const request = await started.promise;
  await new Promise<void>((resolve) => setImmediate(resolve));
  request.respond(text);
  return await requested;
}

test("returns the text as JSON that must not be cached", async () => {
  const { status, headers, text } = await read(SHORT).then(withText);
  expect([status, text]).toEqual([200, SHORT]);
  expect(headers.get("content-type")).toBe("application/json");
  expect(headers.get("cache-control")).toContain("no-store");
});

test("an endpoint can decide to respond later after some time", async () => {
  const { text } = await read(SHORT, "", "identity", "/much-later").then(withText);
  expect(text).toBe(SHORT);
});

test("includes unknown parameters", async () => {
  const { text } = await read(SHORT, "?bogus=1").then(withText);
  expect(JSON.parse(text)).toEqual({
    ...(JSON.parse(SHORT) as object),
    ignored_parameters_unsupported: ["bogus"],
  });
});

test("compresses a long one for clients that accept it", async () => {
  const packed = await read(LONG_BODY, "", "gzip");
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  const bytes = Bun.gunzipSync(await packed.arrayBuffer());
  expect(new TextDecoder().decode(bytes)).toBe(LONG_BODY);
  const text = await read(LONG_BODY).then(withText);
  expect([text.headers.get("content-encoding"), text.text]).toEqual([null, LONG_BODY]);
});

test("includes the caller's rate limit", async () => {
  const { headers } = await read(SHORT);
  expect(headers.get("x-ratelimit-limit")).toBe("100");
  expect(Number(headers.get("x-ratelimit-remaining"))).toBeLessThan(100);
});

async function withText(response: Response) {
  return { status: response.status, headers: response.headers, text: await response.text() };
}
