// Pushes to browsers: who gets one for which message, and what it contains.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { FOLLOWED, MUTED } from "../../src/contract/policies.ts";
import type { Name } from "../users.ts";
import {
  Browser,
  startTestServerWithPush,
  untilPushed,
  PushServer,
  signerOf,
} from "../push/push-server.ts";
import type { Json, Params, TestServer } from "../test-server.ts";

let testServer: TestServer;
let site: PushServer;
const browsers = {} as Record<Name, Browser>;
let topic = "";
let count = 0;
const WITH_BROWSERS: readonly Name[] = ["ada", "mo", "bo", "cy", "gus"];
beforeEach(async () => {
  site = await PushServer.open();
  testServer = await startTestServerWithPush();
  await testServer.request("ada", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "general" }],
    principals: [testServer.idOf("gus")],
  });
  for (const name of WITH_BROWSERS) {
    browsers[name] = await Browser.open(site);
    const { subscription } = browsers[name];
    await testServer.request(name, "POST /users/me/push_subscriptions", subscription);
  }
});
beforeEach(() => {
  site.reset();
  topic = `topic ${++count}`;
});
afterEach(async () => {
  await testServer.close();
  site.close();
});

const general = () => testServer.realm.read.channels.findBy("name", "general")!.stream_id;
const post = async (name: Name, content: string, to = "general") =>
  (await testServer.request(name, "POST /messages", { type: "stream", to, topic, content }))
    .id as number;
const notify = async (name: Name, to: Name[], content: string) =>
  (
    await testServer.request(name, "POST /messages", {
      type: "direct",
      to: to.map(testServer.idOf, testServer),
      content,
    })
  ).id as number;
const set = (name: Name, settings: Params) => testServer.request(name, "PATCH /settings", settings);
const follow = (name: Name, visibility_policy: number) =>
  testServer.request(name, "POST /user_topics", { stream_id: general(), topic, visibility_policy });
const property = (userName: Name, name: string, value: boolean | null) =>
  testServer.request(userName, "POST /users/me/subscriptions/properties", {
    subscription_data: [{ stream_id: general(), property: name, value }],
  });

/** Returns the users who got a push notification since, and why. */
async function notifiedUsers(): Promise<Partial<Record<Name, string>>> {
  await untilPushed(testServer);
  const found: Partial<Record<Name, string>> = {};
  for (const name of WITH_BROWSERS) {
    const payloads = await browsers[name].decryptAll();
    expect(payloads.length).toBeLessThan(2);
    for (const { reason } of payloads) found[name] = reason;
  }
  site.reset();
  return found;
}

test("pushes a direct message with its content, encrypted for the browser", async () => {
  const before = Math.floor(Date.now() / 1000);
  const message_id = await notify("bo", ["cy"], "Are you **there**?");
  await untilPushed(testServer);
  const [payload] = await browsers.cy.decryptAll();
  const ids = [testServer.idOf("bo"), testServer.idOf("cy")].sort((a, b) => a - b).join(",");
  expect(payload).toEqual({
    ...{
      type: "message",
      realm_url: testServer.url,
      realm_name: "Town",
      user_id: testServer.idOf("cy"),
    },
    ...{ message_id, timestamp: expect.any(Number), reason: "direct", tag: `m${message_id}` },
    ...{ title: "Bo Member", body: "Are you there?" },
    url: `${testServer.url}/#narrow/dm/${ids}-dm/near/${message_id}`,
  });
  expect(site.requests).toHaveLength(1);
  const [request] = browsers.cy.requests;
  expect(request!.headers).toMatchObject({
    "content-encoding": "aes128gcm",
    urgency: "high",
    topic: `m${message_id}`,
  });
  const ttl = Number(request!.headers["ttl"]);
  expect(ttl > 86_000 && ttl <= 86_400).toBe(true);
  expect(request!.body.toString("latin1")).not.toContain("there");
  const { key, claims } = await signerOf(request!);
  const response = await testServer.request("cy", "GET /users/me/push_subscriptions");
  expect(key).toBe(response.application_server_key);
  expect(claims.aud).toBe(site.url);
  expect(claims.exp - before).toBeLessThanOrEqual(86_400);
  expect(claims.sub).toMatch(/^mailto:/);
});

test("includes the place and the sender for channel messages", async () => {
  const id = await post("bo", "@**Cy Member** look, *here*");
  await untilPushed(testServer);
  const [payload] = await browsers.cy.decryptAll();
  expect(payload).toMatchObject({
    ...{ title: `#general > ${topic}`, reason: "mention" },
    body: "Bo Member: @Cy Member look, here",
  });
  expect(payload.url).toEndWith(`/near/${id}`);
  expect(browsers.cy.requests[0]!.headers["urgency"]).toBe("high");
});

test("names the other users of a group conversation", async () => {
  await notify("bo", ["cy", "mo"], "hi");
  await untilPushed(testServer);
  const [payload] = await browsers.cy.decryptAll();
  expect(payload.title).toBe("Group messages with Mo Moderator, Bo Member");
  expect(payload.body).toBe("Bo Member: hi");
});

test("does not push plain channel messages", async () => {
  await post("bo", "hello");
  expect(await notifiedUsers()).toEqual({});
});

test("pushes mentions by name, group and everyone, but never to the sender", async () => {
  await post("bo", "@**Cy Member** @**Bo Member** @_**Ada Admin**");
  expect(await notifiedUsers()).toEqual({ cy: "mention" });
  await testServer.request("ada", "POST /user_groups/create", {
    ...{ name: "cooks", description: "", members: [testServer.idOf("cy"), testServer.idOf("bo")] },
  });
  await post("bo", "@*cooks*");
  expect(await notifiedUsers()).toEqual({ cy: "group" });
  await set("mo", { wildcard_mentions_notify: false });
  await post("bo", "@**all**");
  expect(await notifiedUsers()).toEqual({ ada: "wildcard", cy: "wildcard", gus: "wildcard" });
  await set("mo", { wildcard_mentions_notify: true });
});

test("pushes messages of a followed topic unless the user disabled it", async () => {
  await follow("cy", FOLLOWED);
  await follow("mo", FOLLOWED);
  await set("mo", { enable_followed_topic_push_notifications: false });
  await set("ada", { enable_followed_topic_email_notifications: true });
  await post("bo", "news");
  expect(await notifiedUsers()).toEqual({ cy: "followed" });
});

test("pushes all messages of a channel, by its own setting or the global one", async () => {
  await property("cy", "push_notifications", true);
  await property("gus", "email_notifications", true);
  await set("mo", { enable_stream_push_notifications: true });
  await set("ada", { enable_stream_push_notifications: true });
  await property("ada", "push_notifications", false);
  await post("bo", "news");
  expect(await notifiedUsers()).toEqual({ cy: "channel", mo: "channel" });
  await follow("cy", MUTED);
  await property("mo", "is_muted", true);
  await post("bo", "more");
  expect(await notifiedUsers()).toEqual({});
  await set("mo", { enable_stream_push_notifications: false });
  await property("mo", "is_muted", false);
  await property("cy", "push_notifications", false);
});

test("does not push if the user disabled it or muted the sender", async () => {
  await set("cy", { automatically_follow_topics_where_mentioned: false });
  await set("cy", { enable_offline_push_notifications: false });
  await testServer.request("mo", `POST /users/me/muted_users/${testServer.idOf("bo")}`);
  await notify("bo", ["cy", "mo"], "psst");
  await post("bo", "@**Cy Member** @**Mo Moderator** @**all**");
  expect(Object.keys(await notifiedUsers()).sort()).toEqual(["ada", "gus"]);
  await set("cy", { enable_offline_push_notifications: true });
  await testServer.request("mo", `DELETE /users/me/muted_users/${testServer.idOf("bo")}`);
});

test("pushes to active users only if they enabled it", async () => {
  await testServer.request("cy", "POST /users/me/presence", {
    status: "active",
    new_user_input: true,
  });
  await notify("bo", ["cy"], "one");
  expect(await notifiedUsers()).toEqual({ cy: "direct" });
  await set("cy", { enable_online_push_notifications: false });
  await notify("bo", ["cy"], "two");
  expect(await notifiedUsers()).toEqual({});
  testServer.clock.passSeconds(200);
  await notify("bo", ["cy"], "three");
  expect(await notifiedUsers()).toEqual({ cy: "direct" });
  await set("cy", { enable_online_push_notifications: true });
});

test("does not push to users who cannot read or have read the message", async () => {
  await post("bo", "@**Gus Guest** @**Ada Admin**", "sandbox");
  expect(await notifiedUsers()).toEqual({ ada: "mention" });
  const id = await notify("bo", ["cy"], "seen");
  await testServer.request("cy", "POST /messages/flags", {
    messages: [id],
    op: "add",
    flag: "read",
  });
  expect(await notifiedUsers()).toEqual({});
});

test("pushes to users mentioned by an edit, once", async () => {
  const id = await post("bo", "@**Cy Member**");
  expect(await notifiedUsers()).toEqual({ cy: "mention" });
  const content = "@**Cy Member** @**Mo Moderator**";
  await testServer.request("bo", `PATCH /messages/${id}`, { content });
  expect(await notifiedUsers()).toEqual({ mo: "mention" });
  await testServer.request("bo", `PATCH /messages/${id}`, { content: `${content}!` });
  expect(await notifiedUsers()).toEqual({});
});

test("omits the content of direct messages if the setting says so", async () => {
  await set("cy", { pm_content_in_desktop_notifications: false });
  await notify("bo", ["cy"], "top secret");
  await untilPushed(testServer);
  const [payload] = await browsers.cy.decryptAll();
  expect(payload).toMatchObject({ title: "Bo Member", body: "(a new message)" });
  await set("cy", { pm_content_in_desktop_notifications: true });
});

test("sends no details to a browser that must not receive content", async () => {
  const { subscription } = browsers.cy;
  const line = "POST /users/me/push_subscriptions";
  await testServer.request("cy", line, { ...subscription, with_content: false });
  await post("bo", "@**Cy Member** top secret");
  await untilPushed(testServer);
  const [payload] = (await browsers.cy.decryptAll()) as [Json];
  expect(payload).toMatchObject({
    title: "Town",
    body: "You have a new message.",
    url: testServer.url,
  });
  expect(JSON.stringify(payload)).not.toMatch(/secret|Bo Member|general|topic \d/);
  await testServer.request("cy", line, subscription);
});

test("fits a long message of multi-byte characters into the limit of push services", async () => {
  topic = "\u{1F409}".repeat(30);
  await post("bo", `@**Cy Member** ${'"\u{1F409}\\'.repeat(2_000)}`);
  await untilPushed(testServer);
  const [request] = browsers.cy.requests;
  expect(request!.body.length).toBeLessThanOrEqual(4_096);
  const [payload] = await browsers.cy.decryptAll();
  expect(payload.body).toEndWith("…");
  expect(payload.body.isWellFormed()).toBe(true);
});

test("removes notifications of read or deleted messages with the next push, once", async () => {
  const [first, second, third] = [
    await notify("ada", ["bo"], "one"),
    await notify("ada", ["bo"], "two"),
    await notify("ada", ["bo"], "three"),
  ];
  await untilPushed(testServer);
  expect((await browsers.bo.decryptAll()).map(({ body }) => body)).toEqual(["one", "two", "three"]);
  site.reset();
  await testServer.request("bo", "POST /messages/flags", {
    op: "add",
    flag: "read",
    messages: [first],
  });
  await testServer.request("ada", `DELETE /messages/${second}`);
  await untilPushed(testServer);
  // Browsers must display something for each push, so no push only removes notifications.
  expect(browsers.bo.requests).toEqual([]);
  await notify("ada", ["bo"], "four");
  await notify("ada", ["bo"], "five");
  await untilPushed(testServer);
  const [four, five] = await browsers.bo.decryptAll();
  expect(four!.withdrawn_message_ids).toEqual([first, second]);
  expect(five).not.toHaveProperty("withdrawn_message_ids");
  expect(third).toBeGreaterThan(second);
});

test("pushes nothing during Do Not Disturb, then or later", async () => {
  const now = testServer.clock.now();
  await set("bo", { do_not_disturb_until: Math.ceil(now / 1000) + 60 });
  await notify("ada", ["bo"], "psst");
  await notify("ada", ["cy"], "psst");
  expect(await notifiedUsers()).toEqual({ cy: "direct" });
  testServer.clock.passSeconds(61);
  expect(await notifiedUsers()).toEqual({});
  await notify("ada", ["bo"], "awake?");
  expect(await notifiedUsers()).toEqual({ bo: "direct" });

  // In the user's time zone, across midnight.
  const hourIn = (timeZone: string, later: number) =>
    new Intl.DateTimeFormat("en-GB", { hour: "2-digit", hourCycle: "h23", timeZone }).format(
      testServer.clock.now() + later * 3_600_000,
    );
  const hours = (zone: string, from: number, to: number) =>
    set("bo", {
      timezone: zone,
      do_not_disturb_hours: `${hourIn(zone, from)}:00-${hourIn(zone, to)}:00`,
    });
  for (const zone of ["Asia/Tokyo", "America/Lima", ""]) {
    const timeZone = zone || "UTC";
    await hours(timeZone, -2, 2);
    await notify("ada", ["bo"], "at night");
    expect(await notifiedUsers()).toEqual({});
    await hours(timeZone, 2, 20);
    await notify("ada", ["bo"], "by day");
    expect(await notifiedUsers()).toEqual({ bo: "direct" });
  }
});

test("drops waiting pushes when the quiet hours begin", async () => {
  site.statusFor = () => 503;
  await notify("ada", ["bo"], "psst");
  await notify("ada", ["cy"], "psst");
  await untilPushed(testServer);
  expect([browsers.bo, browsers.cy].map(({ requests }) => requests.length)).toEqual([1, 1]);
  site.reset();
  await set("bo", { do_not_disturb_until: Math.ceil(testServer.clock.now() / 1000) + 86_400 });
  testServer.clock.passSeconds(1_800);
  expect(await notifiedUsers()).toEqual({ cy: "direct" });
});
