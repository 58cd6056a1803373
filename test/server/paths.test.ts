/** Matching of paths and methods to routes. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  hostUnknown,
  signInRequired,
  methodNotAllowed,
  pathNotFound,
} from "../../src/contract/errors/general.ts";
import { direct } from "../../src/contract/direct.ts";
import { routes as real } from "../../src/contract/routes.ts";
import { openEndpoint, text } from "../../src/endpoint.ts";
import { anyone } from "../../src/server/gate.ts";
import type { Route } from "../../src/server/routing.ts";
import { type CountingServer, open, payloadOf } from "./sample-server.ts";
import { mona, routes } from "./sample-routes.ts";

let counter: CountingServer;
beforeAll(async () => void (counter = await open(routes)));
afterAll(() => counter.stop());

test("literal segments precede parameters, and matching parameters others", async () => {
  expect((await counter.request("GET /users/me", mona)).body.word).toBe("me");
  expect((await counter.request("GET /users/12", mona)).body.user_id).toBe(12);
  expect((await counter.request("GET /users/a%40b.c", mona)).body.email).toBe("a@b.c");
  expect((await counter.request("GET /users/a%2Fb", mona)).body.email).toBe("a/b");
});

test("an unknown path is not found", async () => {
  const paths = ["/nothing", "/users/me/", "/things/x", "/things/1.5", "/things/-1", "/things/1/2"];
  for (const path of [...paths, "/things/99999999999999999", "root:/", "root:/api/v2/users/me"]) {
    const { status, body } = await counter.request(`GET ${path}`, mona);
    expect([path, status, body]).toEqual([path, ...payloadOf(pathNotFound())]);
    expect(body).toEqual({ result: "error", msg: "Not Found", code: "BAD_REQUEST" });
  }
});

test("doubled slashes count as one", async () => {
  for (const path of ["root://api/v1/users/me", "root:/api//v1///users//me"]) {
    expect((await counter.request(`GET ${path}`, mona)).body.word).toBe("me");
  }
  expect((await counter.request("GET root:/api/v1//things/7?note=a//b", mona)).body).toMatchObject({
    thing_id: 7,
    note: "a//b",
  });
  expect((await counter.request("GET root:/api//v1/nothing", mona)).status).toBe(404);
});

test("the rest of a path can contain slashes", async () => {
  expect((await counter.request("GET root:/files/a/b%20c.png", mona)).body.path).toBe("a/b c.png");
  expect((await counter.request("GET root:/files//a/b", mona)).status).toBe(200);
});

test("a catch-all route does not match API paths", async () => {
  const page = openEndpoint({
    summary: "A thing",
    tag: "Server",
    params: { page: text },
    run: (_, { page }) => ({ page }),
  });
  const rest: Route = { method: "GET", path: "root:/{page*}", gate: anyone, endpoint: page };
  const { request, stop } = await open([...routes, rest]);
  expect((await request("GET root:/")).body.page).toBe("");
  expect((await request("GET root:/inbox/x")).body.page).toBe("inbox/x");
  expect((await request("GET root://api/v1/users/me", mona)).body.word).toBe("me");
  expect((await request("GET /nothing", mona)).status).toBe(404);
  await stop();
});

test("redirects a browser that opens a file to the sign-in", async () => {
  const headers = { Accept: "text/html,application/json;q=0.9" };
  const { status, headers: payload } = await counter.request("GET root:/files/a", { headers });
  expect(status).toBe(302);
  expect(payload.get("location")).toBe(signInRequired("/files/a").headers.Location ?? "");
  expect(payload.get("location")).toBe("/login/?next=%2Ffiles%2Fa");
  expect((await counter.request("GET root:/files/a")).status).toBe(401);
  expect((await counter.request("GET /users/me", { headers })).status).toBe(401);
});

test("names the allowed methods for a wrong one", async () => {
  const { status, headers, body } = await counter.request("PUT /things/1", mona);
  const allowed_methods = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH"];
  expect([status, body]).toEqual(payloadOf(methodNotAllowed(allowed_methods)));
  expect([status, body]).toEqual([
    405,
    { result: "error", msg: "Method Not Allowed", allowed_methods },
  ]);
  expect(headers.get("allow")).toBe(allowed_methods.join(", "));
  expect((await counter.request("POST /users/me", mona)).headers.get("allow")).toBe(
    "GET, HEAD, OPTIONS",
  );
  expect((await counter.request("PUT /things/x", mona)).status).toBe(404);
});

test("OPTIONS returns the methods to anyone", async () => {
  const { status, headers, body } = await counter.request("OPTIONS /things");
  expect([status, body]).toEqual([204, ""]);
  expect(headers.get("allow")).toBe("GET, HEAD, OPTIONS, POST");
  expect((await counter.request("OPTIONS /nothing")).status).toBe(404);
});

test("HEAD responds like GET, without a body", async () => {
  const { status, headers, body } = await counter.request("HEAD /users/me", mona);
  expect([status, body]).toEqual([200, ""]);
  const expectedBody = JSON.stringify({ result: "success", msg: "", word: "me" });
  expect(headers.get("content-length")).toBe(String(expectedBody.length));
  expect((await counter.request("HEAD /users/me")).status).toBe(401);
});

test("method= in the body of a POST overrides the method", async () => {
  const form = (fields: Record<string, string>) => ({ ...mona, body: new URLSearchParams(fields) });
  const patched = await counter.request("POST /things/3", form({ method: "patch", note: "n" }));
  expect(patched.body).toEqual({ result: "success", msg: "", thing_id: 3, note: "n" });
  expect((await counter.request("POST /things/3", form({ method: "PUT" }))).status).toBe(405);
  expect((await counter.request("POST /things/3?method=PATCH", mona)).status).toBe(405);
});

test("a host without an organization is unknown", async () => {
  const headers = { Host: "elsewhere.example", ...mona.headers };
  const { status, body } = await counter.request("GET /users/me", { headers });
  expect([status, body]).toEqual(payloadOf(hostUnknown()));
  expect([status, body.code]).toEqual([404, "NONEXISTENT_SUBDOMAIN"]);
});

test("a route outside of the framework behaves alike", async () => {
  const past = { "GET /things/{thing_id}": 2, "POST /things": 2 };
  const { request, stop } = await open(routes, { hooks: { direct: past } });
  const requestInit = { headers: { ...mona.headers, "X-Request-Id": "the-same-id" } };
  for (const label of [
    "GET /things/7?note=n",
    "HEAD /things/7",
    "GET /things/x",
    "PUT /things/7",
  ]) {
    const [directResponse, here] = [
      await request(label, requestInit),
      await counter.request(label, requestInit),
    ];
    expect([label, directResponse.status, directResponse.body]).toEqual([
      label,
      here.status,
      here.body,
    ]);
    const lines = [here, directResponse].map(({ headers }) =>
      [...headers].filter(([name]) => name !== "date"),
    );
    expect(lines[1]).toEqual(lines[0]);
  }
  const body = new URLSearchParams({ note: "n", list: "[1]" });
  const posted = await request("POST /things", { ...mona, body });
  expect(posted.body).toMatchObject({ note: "n", list: [1] });
  expect((await request("POST /things", { body })).status).toBe(401);
  expect(
    (await request("POST /things", { ...mona, body: new URLSearchParams({ list: "1" }) })).status,
  ).toBe(400);
  await stop();
});

test("literal segments precede parameters for unknown methods too", async () => {
  const requestInit = { ...mona, method: "PATCH" };
  const page = openEndpoint({
    summary: "A thing",
    tag: "Server",
    params: { name: text },
    run: (_, { name }) => ({ name }),
  });
  const { request, stop } = await open([
    ...routes,
    { method: "PATCH", path: "/users/{name}", gate: anyone, endpoint: page },
  ]);
  expect((await request("PATCH /users/you", requestInit)).body.name).toBe("you");
  expect((await request("PATCH /users/me", requestInit)).status).toBe(405);
  expect((await request("DELETE /users/me", requestInit)).status).toBe(405);
  await stop();
});

test("routes outside of the framework are routes", () => {
  const names = new Set(real.map(({ method, path }) => `${method} ${path}`));
  expect(Object.keys(direct).filter((name) => !names.has(name))).toEqual([]);
});
