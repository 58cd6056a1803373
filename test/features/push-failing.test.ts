// Pushes while the push service is busy, unreachable, gone or denied; and after a restart.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createUser } from "../../src/features/accounts/actions.ts";
import { PUSH_PAUSES_MS, PUSH_TTL_SECONDS } from "../../src/features/push/queue/rules.ts";
import type { PushSubscription } from "../../src/schema/records-people.ts";
import type { Name } from "../users.ts";
import {
  type ReceivedRequest,
  Browser,
  startTestServerWithPush,
  untilPushed,
  PushServer,
} from "../push/push-server.ts";
import type { Json, TestServer } from "../test-server.ts";

const LINE = "POST /users/me/push_subscriptions";

let testServer: TestServer;
let site: PushServer;
let browser: Browser;
beforeEach(async () => {
  site = await PushServer.open();
  testServer = await startTestServerWithPush();
  browser = await Browser.open(site);
  await testServer.request("cy", LINE, browser.subscription);
});
afterEach(async () => {
  await testServer.close();
  site.close();
});

const notify = async (name: Name, to: Name, content: string) =>
  (
    await testServer.request(name, "POST /messages", {
      type: "direct",
      to: [testServer.idOf(to)],
      content,
    })
  ).id as number;
const wordsIn = async (browser: Browser) =>
  (await browser.decryptAll()).map(({ body }) => body as string);
const listSubscriptions = async (): Promise<Json[]> =>
  (await testServer.request("cy", "GET /users/me/push_subscriptions")).push_subscriptions;
const waitingIn = ({ realm }: TestServer) => [...realm.read.waiting_pushes.range()].length;

async function nextAttempt(n: number) {
  testServer.clock.passSeconds(PUSH_PAUSES_MS[n]! / 1000 + 1);
  await untilPushed(testServer);
}

test.each([404, 410])("removes a subscription that no longer exists (%i)", async (status) => {
  site.statusFor = () => status;
  await notify("bo", "cy", "one");
  await notify("bo", "cy", "two");
  await untilPushed(testServer);
  expect(await listSubscriptions()).toEqual([]);
  expect(browser.requests).toHaveLength(1);
  expect(waitingIn(testServer)).toBe(0);
});

test.each([503, 429, undefined])("retries a delayed push (%p) later, in order", async (status) => {
  site.statusFor = () => status;
  await notify("bo", "cy", "one");
  await notify("bo", "cy", "two");
  await untilPushed(testServer);
  expect(browser.requests).toHaveLength(1);
  expect(await listSubscriptions()).toMatchObject([{ failure: { status: status ?? null } }]);
  await untilPushed(testServer);
  expect(browser.requests).toHaveLength(1);
  await nextAttempt(0);
  expect(browser.requests).toHaveLength(2);
  site.reset();
  await nextAttempt(1);
  expect(await wordsIn(browser)).toEqual(["one", "two"]);
  expect(await listSubscriptions()).toMatchObject([{ failure: null }]);
});

test.each([
  ["900", 900],
  ["a date", 900],
  ["1", 5],
  ["999999999", 3_600],
  ["soon", 5],
])("a service that asks for %s is asked again after %i seconds", async (requested, seconds) => {
  site.statusFor = () => 429;
  const date = new Date(testServer.clock.now() + 900_000).toUTCString();
  site.responseHeaders = { "Retry-After": requested === "a date" ? date : requested };
  await notify("bo", "cy", "one");
  await untilPushed(testServer);
  testServer.clock.passSeconds(seconds - 4);
  await untilPushed(testServer);
  expect(browser.requests).toHaveLength(1);
  testServer.clock.passSeconds(5);
  await untilPushed(testServer);
  expect(browser.requests).toHaveLength(2);
});

test("drops all waiting pushes after the last attempt, and starts anew with the next", async () => {
  site.statusFor = () => 500;
  await notify("bo", "cy", "one");
  await notify("bo", "cy", "two");
  await untilPushed(testServer);
  for (const n of PUSH_PAUSES_MS.keys()) await nextAttempt(n);
  expect(browser.requests).toHaveLength(PUSH_PAUSES_MS.length + 1);
  expect(waitingIn(testServer)).toBe(0);
  site.reset();
  await notify("bo", "cy", "three");
  await untilPushed(testServer);
  expect(await wordsIn(browser)).toEqual(["three"]);
});

test("does not push messages read, deleted or hidden while waiting", async () => {
  site.statusFor = () => 503;
  const read = await notify("bo", "cy", "read");
  const deleted = await notify("bo", "cy", "deleted");
  await testServer.request("bo", "POST /messages", {
    ...{ type: "stream", to: "general", topic: "t", content: "@**Cy Member** left" },
  });
  await notify("bo", "cy", "kept");
  await untilPushed(testServer);
  await testServer.request("cy", "POST /messages/flags", {
    messages: [read],
    op: "add",
    flag: "read",
  });
  await testServer.request("bo", `DELETE /messages/${deleted}`);
  await testServer.request("cy", "DELETE /users/me/subscriptions", { subscriptions: ["general"] });
  site.reset();
  await nextAttempt(0);
  expect(await wordsIn(browser)).toEqual(["kept"]);
});

test("does not push what has waited for a day", async () => {
  site.statusFor = () => 503;
  await notify("bo", "cy", "old");
  await untilPushed(testServer);
  site.reset();
  testServer.clock.passSeconds(PUSH_TTL_SECONDS);
  await untilPushed(testServer);
  expect(browser.requests).toEqual([]);
  expect(waitingIn(testServer)).toBe(0);
});

test("continues after a rejected push, and shows the error in the list", async () => {
  let count = 0;
  site.statusFor = () => (++count === 1 ? 413 : 201);
  await notify("bo", "cy", "one");
  await untilPushed(testServer);
  const [{ failure }] = (await listSubscriptions()) as [Json];
  expect(failure).toEqual({
    ...{
      timestamp: expect.any(Number),
      status: 413,
      reason: "the push service rejected the push (413)",
    },
  });
  await notify("bo", "cy", "two");
  await untilPushed(testServer);
  expect(browser.requests).toHaveLength(2);
  expect(await listSubscriptions()).toMatchObject([{ failure: null }]);
});

test("does not delay other subscriptions because of an unreachable one", async () => {
  const other = await Browser.open(site);
  await testServer.request("cy", LINE, other.subscription);
  site.statusFor = ({ path }: ReceivedRequest) => (path === browser.path ? 503 : 201);
  await notify("bo", "cy", "one");
  await notify("bo", "cy", "two");
  await untilPushed(testServer);
  expect(await wordsIn(other)).toEqual(["one", "two"]);
});

test("pushes waiting notifications after a restart, and none twice", async () => {
  site.statusFor = () => 503;
  await notify("bo", "cy", "one");
  await untilPushed(testServer);
  await testServer.restart();
  site.reset();
  await notify("bo", "cy", "two");
  await nextAttempt(0);
  await testServer.restart();
  await untilPushed(testServer);
  expect(await wordsIn(browser)).toEqual(["one", "two"]);
});

test("pushes a mention of everyone to each user once", async () => {
  const browsers = [];
  for (const name of ["ada", "mo", "olga"] as const) {
    const browser = await Browser.open(site);
    browsers.push(browser);
    await testServer.request(name, LINE, browser.subscription);
  }
  const all = { type: "stream", to: "general", topic: "t", content: "@**all** come" };
  await testServer.request("bo", "POST /messages", all);
  await untilPushed(testServer);
  for (const item of [...browsers, browser]) expect(item.requests).toHaveLength(1);
});

test("pushes a mention of more users than one batch to each once", async () => {
  const people = 600;
  await testServer.realm.write((tx) => {
    const [pattern] = tx.push_subscriptions.range() as [PushSubscription];
    for (let n = 0; n < people; n++) {
      const created = { email: `p${n}@example.com`, full_name: `Person ${n}`, role: 400 };
      const { user_id } = createUser(tx, created);
      const push_id = tx.next("push_subscriptions");
      const topic = { kind: "ntfy", endpoint: `${site.url}/p${n}`, hash: `p${n}` } as const;
      tx.push_subscriptions.put({ ...pattern, ...topic, push_id, user_id });
    }
  });
  const all = { type: "stream", to: "general", topic: "t", content: "@**all** come" };
  await testServer.request("ada", "POST /messages", all);
  await untilPushed(testServer);
  const topics = site.requests.filter(({ path }) => path === "/").map(({ body }) => `${body}`);
  expect(new Set(topics.map((text) => (JSON.parse(text) as Json).topic)).size).toBe(people);
  expect(topics).toHaveLength(people);
});

test("connects to private addresses only if the operator allows it", async () => {
  await testServer.close();
  testServer = await startTestServerWithPush({ outbound_allow: [] });
  const { push_subscription_id: id } = await testServer.request("cy", LINE, browser.subscription);
  await notify("bo", "cy", "one");
  await untilPushed(testServer);
  expect(site.requests).toEqual([]);
  const reason = "this server is not allowed to contact that address";
  expect(await listSubscriptions()).toMatchObject([{ failure: { status: null, reason } }]);
  const response = await testServer.request("cy", `${LINE}/${id}/test`);
  expect(response).toMatchObject({ is_taken: false, is_gone: false, status: null, reason });
});
