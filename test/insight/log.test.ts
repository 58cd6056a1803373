// The log of a running server has a line for each request, and never a credential.
import { afterAll, afterEach, beforeAll, expect, spyOn, test } from "bun:test";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { openLog } from "../../src/server/log.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { emailOf } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
const lines: string[] = [];
const stderrWrite = spyOn(process.stderr, "write").mockImplementation((text) => {
  lines.push(String(text));
  return true;
});
beforeAll(async () => {
  const mail = {
    smtp_url: "smtp://ada@127.0.0.1:1",
    password: "mailsesame",
    from: { name: "", address: "a@b.c" },
  };
  testServer = await startTestServer({ log: "json", log_requests: true, mail });
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => tx.passwords.put({ user_id: testServer.idOf("bo"), hash }));
});
afterAll(async () => {
  await testServer?.close();
  stderrWrite.mockRestore();
});
afterEach(() => void (lines.length = 0));

type Line = Record<string, unknown>;
const listMessages = () => lines.map((line) => JSON.parse(line) as Line);
const requests = () => listMessages().filter(({ message }) => message === "request");

test("logs each request with its route but no path, the caller, and the result", async () => {
  const response = await testServer.send("bo", `GET /users/${testServer.idOf("cy")}`);
  const [line] = requests();
  expect(line).toMatchObject({
    level: "info",
    request_id: response.headers.get("x-request-id"),
    method: "GET",
    route: "/api/v1/users/{}",
    status: 200,
    user_id: testServer.idOf("bo"),
    client: "SkeinTest",
    address: "127.0.0.1",
  });
  expect(line!["ms"]).toBeGreaterThanOrEqual(0);
  await testServer.send(null, "GET //nowhere/at/all");
  expect(requests()[1]).toMatchObject({ route: "none", status: 404 });
});

test("logs one line per response, however it is served", async () => {
  const requested = [
    ["GET /livez", null, "/livez", 200],
    ["GET /api/v1/openapi.json", null, "/api/v1/openapi.json", 200],
    ["GET /login/", null, "/login/", 200],
    ["GET /login", null, "none", 302],
    ["GET /api/v1/users/me", null, "/api/v1/users/me", 401],
    ["PATCH /api/v1/settings", "bo", "/api/v1/settings", 200],
    ["DELETE /api/v1/settings", "bo", "/api/v1/settings", 405],
    ["POST /api/v1/messages", "bo", "/api/v1/messages", 400],
    ["GET /api/v1/events", "bo", "/api/v1/events", 400],
  ] as const;
  for (const [label, user, route, status] of requested) {
    lines.length = 0;
    const [method, path] = label.split(" ");
    const headers: Record<string, string> = user
      ? { Authorization: testServer.basicAuthorization(user) }
      : {};
    const init = { method: method!, headers, redirect: "manual" } as const;
    await (await fetch(`${testServer.url}${path}`, init)).text();
    const user_id = user ? { user_id: testServer.idOf(user) } : {};
    expect(requests()).toEqual([expect.objectContaining({ method, route, status, ...user_id })]);
  }
});

test("accepts a harmless request id, and returns it", async () => {
  const request = (id: string) => {
    const headers = { "X-Request-Id": id, Authorization: testServer.basicAuthorization("bo") };
    return fetch(`${testServer.url}/api/v1/users/me`, { headers });
  };
  const id = "proxy-4711.abc";
  expect((await request(id)).headers.get("x-request-id")).toBe(id);
  expect(requests()[0]).toMatchObject({ request_id: id });
  for (const bad of ["x", 'a"b<c>d&e', "y".repeat(65)]) {
    const input = (await request(bad)).headers.get("x-request-id");
    expect(input).toMatch(/^[\w.-]{8,64}$/);
    expect(input).not.toBe(bad);
  }
  const ids = new Set<string | null>();
  for (let n = 0; n < 20; n++)
    ids.add((await testServer.send("bo", "GET /users/me")).headers.get("x-request-id"));
  expect(ids.size).toBe(20);
});

test("logs an error under the id in its response", async () => {
  const { realm } = testServer;
  const failing = spyOn(realm, "write").mockImplementation(() => {
    throw new Error("broken: api_key=abcdefghijklmnop and mailsesame");
  });
  try {
    const send = { type: "direct", to: [testServer.idOf("cy")], content: "x" };
    const response = await testServer.send("bo", "POST /messages", send);
    const body = (await response.json()) as Line;
    expect(response.status).toBe(500);
    const id = response.headers.get("x-request-id");
    expect(body["request_id"]).toBe(id);
    const error = listMessages().find(({ message }) => message === "a request failed")!;
    expect(error).toMatchObject({ level: "error", request_id: id });
    expect(String(error["error"])).toContain("broken");
    expect(lines.join("")).not.toMatch(/abcdefghijklmnop|mailsesame/);
  } finally {
    failing.mockRestore();
  }
});

test("never logs keys, passwords, tokens or messages", async () => {
  const { api_key } = await testServer.request(null, "POST /fetch_api_key", {
    username: emailOf("bo"),
    password: PASSWORD,
  });
  await testServer.send(null, "POST /fetch_api_key", {
    username: emailOf("bo"),
    password: "wrong-guess",
  });
  await testServer.send(null, `GET /users/me?api_key=${api_key}`);
  await testServer.send(null, `POST /external/json?api_key=${testServer.keyOf("bot")}`, {
    text: "{}",
  });
  await testServer.send("bo", "POST /messages", {
    type: "direct",
    to: [testServer.idOf("cy")],
    content: "whisper",
  });
  const browser = new Browser(testServer);
  await browser.signIn("bo");
  const cookies = [...browser.cookies.values()];
  await browser.open("/accounts/password/reset/0123456789abcdefghij0123456789ab/");
  await browser.open("/join/0123456789abcdefghij0123456789ab/");
  expect(requests().length).toBeGreaterThan(5);
  const all = lines.join("");
  const secrets = [
    api_key,
    testServer.keyOf("bot"),
    testServer.keyOf("bo"),
    PASSWORD,
    "wrong-guess",
    "whisper",
  ];
  for (const secret of [...secrets, ...cookies, "0123456789abcdefghij"]) {
    expect(all.includes(secret)).toBe(false);
  }
});

test("redacts known secrets, and what looks like one, in any field", () => {
  const received: string[] = [];
  const bucket = {
    endpoint: "",
    bucket: "",
    region: "",
    access_key_id: "",
    secret_access_key: "S3+/sesame",
  };
  const log = openLog({ log: "json", bucket }, (line) => void received.push(line));
  const secrets = {
    a: "GET https://x.example/?api_key=OPENSESAME1&x=1",
    b: "password: OPENSESAME2",
    c: 'the header "Authorization: Basic T1BFTlNFU0FNRTM="',
    d: "smtp://ada:OPENSESAME4@mail.example:25 was not reached",
    e: "Bearer OPENSESAME5abc",
    f: "the bucket said S3+/sesame",
    g: '{"token":"OPENSESAME6"}',
  };
  log.warn("odd", secrets);
  expect(received[0]).not.toMatch(/SESAME|T1BF|sesame/i);
  for (const secretText of ["x=1", "mail.example:25", "ada", "the bucket said"])
    expect(received[0]).toContain(secretText);
  log.info("plain", { error: "no such file: /var/lib/skein/data.mdb", code: "ENOENT" });
  expect(received[1]).toContain("no such file: /var/lib/skein/data.mdb");
});

test("counts repeated problems, and logs others", () => {
  const received: string[] = [];
  const log = openLog({ log: "json" }, (line) => void received.push(line));
  for (let n = 0; n < 100; n++) log.error("a request failed", { error: "Error: x", n });
  expect(received).toHaveLength(20);
  log.error("a request failed", { error: "Error: y" });
  for (let n = 0; n < 100; n++) log.info("request");
  expect(received).toHaveLength(121);
});
