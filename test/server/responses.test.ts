/** The format of responses, and what endpoints learn about the caller. */
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { internalError, storeFull } from "../../src/contract/errors/general.ts";
import { endpoint, openEndpoint, text } from "../../src/endpoint.ts";
import { anyone, signedIn } from "../../src/server/gate.ts";
import { type CountingServer, keyOf, open, payloadOf } from "./sample-server.ts";
import { mona, routes } from "./sample-routes.ts";

let counter: CountingServer;
beforeAll(async () => void (counter = await open(routes)));
afterAll(() => counter.stop());

test("a success is JSON that must not be cached", async () => {
  const { status, headers, body } = await counter.request("GET /users/me", mona);
  expect(status).toBe(200);
  expect(body).toEqual({ result: "success", msg: "", word: "me" });
  expect(headers.get("content-type")).toBe("application/json");
  expect(headers.get("cache-control")).toBe(
    "max-age=0, no-cache, no-store, must-revalidate, private",
  );
});

test("an endpoint can set msg", async () => {
  expect((await counter.request("GET /msg", mona)).body).toEqual({
    result: "success",
    msg: "said",
  });
});

test("passes on an endpoint's own Response unchanged", async () => {
  const { headers, body } = await counter.request("GET root:/livez");
  expect(body).toBe("alive");
  expect(headers.get("cache-control")).toBe("max-age=5");
});

test("passes on an endpoint's own redirect", async () => {
  const redirectEndpoint = openEndpoint({
    summary: "A thing",
    tag: "Server",
    params: {},
    run: () => Response.redirect("/there"),
  });
  const { request, stop } = await open(
    [{ method: "GET", path: "/x", gate: anyone, endpoint: redirectEndpoint }],
    {
      rate_limits: true,
    },
  );
  const { status, headers } = await request("GET /x");
  expect([status, headers.get("location")]).toEqual([302, "/there"]);
  expect(headers.get("x-ratelimit-remaining")).toBe("99");
  await stop();
});

test("the client's name is the first word of its user agent, or what it declares", async () => {
  const cases: [string, string][] = [
    ["ZulipMobile/1.2 (Android 14)", "ZulipMobile"],
    ["curl/8.0", "curl"],
    ["Robot of Hers", "Robot"],
    [" ", "Unspecified"],
    ["x".repeat(50), "x".repeat(30)],
  ];
  for (const [agent, name] of cases) {
    const headers = { ...mona.headers, "User-Agent": agent };
    expect((await counter.request("GET /things", { headers })).body.client).toBe(name);
  }
  expect((await counter.request("GET /things?client=website", mona)).body.client).toBe("website");
});

test("an endpoint receives the caller's address, also behind a local proxy", async () => {
  expect((await counter.request("GET /things", mona)).body.address).toBe("127.0.0.1");
  const headers = { ...mona.headers, "X-Forwarded-For": "10.0.0.9, 203.0.113.7" };
  expect((await counter.request("GET /things", { headers })).body.address).toBe("203.0.113.7");
});

test("compresses long responses for clients that accept it", async () => {
  const plain = await fetch(`${counter.url}/api/v1/long`, {
    headers: { "Accept-Encoding": "gzip;q=0" },
  });
  expect(plain.headers.get("content-encoding")).toBeNull();
  const packed = await fetch(`${counter.url}/api/v1/long`, {
    headers: { "Accept-Encoding": "br, gzip" },
    decompress: false,
  });
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(packed.headers.get("vary")).toBe("Accept-Encoding");
  const bytes = Bun.gunzipSync(await packed.arrayBuffer());
  expect(new TextDecoder().decode(bytes)).toBe(await plain.text());
  expect((await counter.request("GET /users/me", mona)).headers.get("content-encoding")).toBeNull();
});

test("a crash reveals only the id under which it is logged", async () => {
  const { status, body } = await counter.request("GET /crash", mona);
  expect([status, body]).toEqual(payloadOf(internalError(body.request_id)));
  expect(status).toBe(500);
  expect(body).toEqual({
    result: "error",
    msg: "Internal server error",
    code: "INTERNAL_SERVER_ERROR",
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect((await counter.request("GET /users/me", mona)).status).toBe(200);
});

test("reports a rejected write of the disk as such", async () => {
  const { status, body } = await counter.request("GET /full", mona);
  expect([status, body]).toEqual(payloadOf(storeFull(body.request_id)));
  expect([status, body.code]).toEqual([503, "STORE_FULL"]);
  expect(body.request_id).toMatch(/^[0-9a-f-]{36}$/);
});

test("logs a crash under its id, without secrets of the request", async () => {
  const output: string[] = [];
  const stderr = spyOn(process.stderr, "write").mockImplementation((line) => {
    output.push(String(line));
    return true;
  });
  const crash = endpoint({
    summary: "A thing",
    tag: "Server",
    params: { id: text, token: text, content: text },
    run: () => {
      throw new TypeError("out of order");
    },
  });
  const path = "/letters/{id}/{token}";
  const { request, stop } = await open(
    [{ method: "POST", path, gate: signedIn, endpoint: crash }],
    {
      log: "json",
    },
  );
  const form = new URLSearchParams({ content: "dear diary", password: "sesame" });
  const { body } = await request("POST /letters/7/once-only?q=hush", { ...mona, body: form });
  await stop();
  stderr.mockRestore();

  const lines = output.map((line) => JSON.parse(line));
  const [received] = lines.filter(({ level }) => level === "error");
  expect(received).toMatchObject({ request_id: body.request_id, method: "POST" });
  expect(received).toMatchObject({ path: "/api/v1/letters/7/…", error: "TypeError: out of order" });
  const secrets = ["dear diary", "sesame", "once-only", "hush", keyOf(3), "Mona"];
  expect(secrets.filter((secret) => output.join().includes(secret))).toEqual([]);
});
