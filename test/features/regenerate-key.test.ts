// Replacing a leaked API key: what it ends, and what stays.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { emailOf, type Name } from "../users.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => tx.passwords.put({ user_id: testServer.idOf("bo"), hash }));
});
afterEach(() => testServer?.close());

const LINE = "POST /users/me/api_key/regenerate";

async function requestWithKey(
  name: Name,
  key: string,
  line: string,
  params: Record<string, string> = {},
) {
  const [method, path] = line.split(" ") as [string, string];
  const query = new URLSearchParams(params);
  const Authorization = `Basic ${btoa(`${emailOf(name)}:${key}`)}`;
  const options = { method, headers: { Authorization } };
  const target = `${testServer.url}/api/v1${path}`;
  const response =
    method === "GET"
      ? await fetch(`${target}?${query}`, options)
      : await fetch(target, { ...options, body: query });
  return { status: response.status, ...((await response.json()) as Json) };
}

const freshKey = async (): Promise<string> =>
  (
    await testServer.request(null, "POST /fetch_api_key", {
      username: emailOf("bo"),
      password: PASSWORD,
    })
  ).api_key;

async function appPassword(browser: Browser): Promise<string> {
  await browser.open("/account/");
  const page = await browser.submit("/account/keys/", { name: "Mail", password: PASSWORD });
  return /<pre>(\w{32})<\/pre>/.exec(page.text)![1]!;
}

test("ends every API key, with its queue and devices, and keeps app passwords", async () => {
  const browser = new Browser(testServer);
  await browser.signIn("bo");
  const own = await appPassword(browser);
  const [leaked, asking] = [await freshKey(), await freshKey()];
  const { queue_id, last_event_id } = await requestWithKey("bo", leaked, "POST /register");
  const stored = await requestWithKey("bo", own, "POST /register");
  const others = await testServer.request("cy", "POST /register");
  await requestWithKey("bo", leaked, "POST /register_client_device");
  const { device_id } = await requestWithKey("bo", own, "POST /register_client_device");

  const response = await requestWithKey("bo", asking, LINE);
  expect(response).toMatchObject({ status: 200, api_keys_ended: 3, app_passwords_kept: 1 });

  for (const key of [leaked, asking, testServer.keyOf("bo")]) {
    expect((await requestWithKey("bo", key, "GET /users/me")).status).toBe(401);
  }
  await testServer.untilIdle();
  const poll = { queue_id, last_event_id: String(last_event_id), dont_block: "true" };
  const secondResponse = await requestWithKey("bo", response.api_key, "GET /events", poll);
  expect(secondResponse).toMatchObject({ status: 400, code: "BAD_EVENT_QUEUE_ID" });
  const devices = testServer.realm.read.devices.range({
    from: [testServer.idOf("bo")],
    to: [4_000_000],
  });
  expect([...devices].map((device) => device.device_id)).toEqual([device_id]);
  const last = { queue_id: stored.queue_id, last_event_id: "-1", dont_block: "true" };
  expect((await requestWithKey("bo", own, "GET /events", last)).status).toBe(200);
  const otherQueue = { queue_id: others.queue_id, last_event_id: -1, dont_block: true };
  await testServer.request("cy", "GET /events", otherQueue);
});

test("ends an app password only if it is the one that calls", async () => {
  const browser = new Browser(testServer);
  await browser.signIn("bo");
  const own = await appPassword(browser);
  const response = await requestWithKey("bo", own, LINE);
  expect(response).toMatchObject({ status: 200, api_keys_ended: 2, app_passwords_kept: 0 });
  expect((await requestWithKey("bo", own, "GET /users/me")).status).toBe(401);
  expect((await requestWithKey("bo", response.api_key, "GET /users/me")).status).toBe(200);
});

test("keeps the keys of other accounts", async () => {
  await testServer.request("bo", LINE);
  expect((await testServer.send("cy", "GET /users/me")).status).toBe(200);
});

test("closes the queue of a key that its user revokes", async () => {
  const key = await freshKey();
  const { queue_id } = await requestWithKey("bo", key, "POST /register");
  const { api_keys } = await requestWithKey("bo", key, "GET /users/me/api_keys");
  const { id } = api_keys.find((key: { current: boolean }) => key.current);
  await testServer.request("bo", `DELETE /users/me/api_keys/${id}`);
  await testServer.untilIdle();
  const poll = { queue_id, last_event_id: -1, dont_block: true };
  expect(await testServer.refused("bo", "GET /events", poll)).toMatchObject({
    code: "BAD_EVENT_QUEUE_ID",
  });
});

test("POST //account/keys/end-all/ revokes all API keys, and keeps app passwords", async () => {
  const browser = new Browser(testServer);
  await browser.signIn("bo");
  const own = await appPassword(browser);
  const key = await freshKey();
  await browser.open("/account/");
  await browser.submit("/account/keys/end-all/");
  expect((await requestWithKey("bo", key, "GET /users/me")).status).toBe(401);
  expect((await requestWithKey("bo", own, "GET /users/me")).status).toBe(200);
  expect((await browser.fetch("GET /users/me")).status).toBe(200);
});
