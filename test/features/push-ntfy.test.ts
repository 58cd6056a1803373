// Pushes to a topic of the user's ntfy server, and their removal once read.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { PUSHED_KEPT_MAX } from "../../src/features/push/queue/rules.ts";
import type { Name } from "../users.ts";
import { Browser, startTestServerWithPush, untilPushed, PushServer } from "../push/push-server.ts";
import type { Json, TestServer } from "../test-server.ts";

const LINE = "POST /users/me/push_subscriptions";
const NTFY = "POST /users/me/push_subscriptions/ntfy";

let testServer: TestServer;
let site: PushServer;
beforeEach(async () => {
  site = await PushServer.open();
  site.statusFor = () => 200;
  testServer = await startTestServerWithPush();
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
const post = async (content: string) =>
  (
    await testServer.request("bo", "POST /messages", {
      type: "stream",
      to: "general",
      topic: "t",
      content,
    })
  ).id as number;
const read = (name: Name, ...messages: number[]) =>
  testServer.request(name, "POST /messages/flags", { messages, op: "add", flag: "read" });
const listSubscriptions = async (): Promise<Json[]> =>
  (await testServer.request("cy", "GET /users/me/push_subscriptions")).push_subscriptions;
const requestLines = () => site.requests.map(({ method, path }) => `${method} ${path}`);

test("publishes a message with title, text, URL and tags", async () => {
  const topic_url = `${site.url}/cys-secret`;
  await testServer.request("cy", NTFY, { topic_url, access_token: "tk_abc" });
  const direct = await notify("bo", "cy", "Hello, *you*");
  const mention = await post("@**Cy Member** come");
  await untilPushed(testServer);
  expect(requestLines()).toEqual(["POST /", "POST /"]);
  const [request] = site.requests;
  expect(request!.headers["authorization"]).toBe("Bearer tk_abc");
  expect(request!.headers["content-type"]).toBe("application/json");
  expect(site.published).toEqual([
    {
      ...{ topic: "cys-secret", title: "Bo Member", message: "Hello, you", priority: 4 },
      ...{ tags: ["envelope"], sequence_id: `m${direct}` },
      click: expect.stringContaining(`/near/${direct}`),
    },
    {
      ...{ topic: "cys-secret", title: "#general > t", message: "Bo Member: @Cy Member come" },
      ...{ priority: 4, tags: ["bell"], sequence_id: `m${mention}` },
      click: expect.stringContaining(`${testServer.url}/#narrow/channel/`),
    },
  ]);
});

test("sends no token header without one, and mentions with normal priority", async () => {
  await testServer.request("cy", NTFY, { topic_url: `${site.url}/open` });
  await post("@**all** hear");
  await untilPushed(testServer);
  expect(site.requests[0]!.headers["authorization"]).toBeUndefined();
  expect(site.published).toMatchObject([{ priority: 3, tags: ["loudspeaker"] }]);
});

test("lets two users subscribe the same topic", async () => {
  const topic_url = `${site.url}/family`;
  await testServer.request("cy", NTFY, { topic_url });
  await testServer.request("mo", NTFY, { topic_url });
  await post("@**all** dinner");
  await untilPushed(testServer);
  expect(site.published).toHaveLength(2);
});

test("omits content where the organization requires encryption", async () => {
  await testServer.request("cy", NTFY, { topic_url: `${site.url}/open` });
  const browser = await Browser.open(site);
  await testServer.request("cy", LINE, browser.subscription);
  await testServer.request("ada", "PATCH /realm", { require_e2ee_push_notifications: true });
  await post("@**Cy Member** secret");
  await untilPushed(testServer);
  await testServer.request("ada", "PATCH /realm", { require_e2ee_push_notifications: false });
  await testServer.request("ada", "PATCH /realm", {
    message_content_allowed_in_email_notifications: false,
  });
  await post("@**Cy Member** secret");
  await untilPushed(testServer);
  const toTopic = site.requests.filter(({ path }) => path === "/").map(({ body }) => `${body}`);
  expect(toTopic).toHaveLength(2);
  for (const text of toTopic) {
    expect(text).not.toMatch(/secret|Bo Member|general|narrow/);
    expect(text).toContain("You have a new message.");
  }
  expect((await browser.decryptAll()).map(({ body }) => body)).toEqual([
    "Bo Member: @Cy Member secret",
    "Bo Member: @Cy Member secret",
  ]);
});

test("removes notifications of messages read elsewhere or deleted", async () => {
  await testServer.request("cy", NTFY, { topic_url: `${site.url}/mine`, access_token: "tk_abc" });
  const first = await notify("bo", "cy", "one");
  const second = await notify("bo", "cy", "two");
  const third = await notify("bo", "cy", "three");
  await untilPushed(testServer);
  site.requests = [];
  await read("cy", first);
  await untilPushed(testServer);
  expect(requestLines()).toEqual([`PUT /mine/m${first}/clear`]);
  expect(site.requests[0]!.headers["authorization"]).toBe("Bearer tk_abc");
  await testServer.request("bo", `DELETE /messages/${second}`);
  await untilPushed(testServer);
  await testServer.request("cy", "POST /mark_all_as_read");
  await untilPushed(testServer);
  await read("cy", first, third);
  await untilPushed(testServer);
  expect(requestLines().slice(1)).toEqual([`DELETE /mine/m${second}`, `PUT /mine/m${third}/clear`]);
});

test("tries removal once on a server that does not support it, without an error", async () => {
  await testServer.request("cy", NTFY, { topic_url: `${site.url}/mine` });
  site.statusFor = ({ method }) => (method === "PUT" ? 404 : 200);
  const ids = [await notify("bo", "cy", "one"), await notify("bo", "cy", "two")];
  await untilPushed(testServer);
  for (const id of ids) {
    await read("cy", id);
    await untilPushed(testServer);
  }
  const laterId = await notify("bo", "cy", "three");
  await untilPushed(testServer);
  await read("cy", laterId);
  await untilPushed(testServer);
  expect(requestLines().filter((line) => line.startsWith("PUT"))).toHaveLength(1);
  expect(await listSubscriptions()).toMatchObject([{ with_removals: false, failure: null }]);
});

test("sends all read messages in one push to an app that requested it", async () => {
  const [app, browser] = [await Browser.open(site), await Browser.open(site)];
  await testServer.request("cy", LINE, { ...app.subscription, with_removals: true });
  await testServer.request("cy", LINE, browser.subscription);
  const ids = [await notify("bo", "cy", "one"), await notify("bo", "cy", "two")];
  await untilPushed(testServer);
  site.requests = [];
  await read("cy", ...ids);
  await untilPushed(testServer);
  expect(await app.decryptAll()).toEqual([
    {
      ...{ type: "remove", realm_url: testServer.url, user_id: testServer.idOf("cy") },
      ...{ message_ids: ids, tags: ids.map((id) => `m${id}`) },
    },
  ]);
  expect(browser.requests).toEqual([]);
});

test("removes the notification of a message that is read during the push", async () => {
  await testServer.request("cy", NTFY, { topic_url: `${site.url}/mine` });
  const { promise, resolve } = Promise.withResolvers<void>();
  site.statusFor = () => (resolve(), 200);
  site.pause();
  const id = await notify("bo", "cy", "one");
  const all = untilPushed(testServer);
  await promise;
  await read("cy", id);
  site.resume();
  await all;
  expect(requestLines()).toEqual(["POST /", `PUT /mine/m${id}/clear`]);
});

test("remembers the newest of the removable notifications", async () => {
  await testServer.request("cy", NTFY, { topic_url: `${site.url}/mine` });
  for (let n = 0; n <= PUSHED_KEPT_MAX; n++) await notify("bo", "cy", `${n}`);
  await untilPushed(testServer);
  const pushedMessages = [...testServer.realm.read.pushed_messages.range()];
  expect(pushedMessages).toHaveLength(PUSHED_KEPT_MAX);
  expect(pushedMessages.some(({ message_id }) => message_id === 1)).toBe(false);
});
