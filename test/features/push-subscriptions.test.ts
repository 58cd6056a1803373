// Push subscriptions are created, listed, changed, ended by sign-out, and private to their user.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as errors from "../../src/contract/errors/people.ts";
import { PUSH_SUBSCRIPTIONS_PER_USER_MAX } from "../../src/features/push/queue/rules.ts";
import { decryptText } from "../../src/features/secrets/encrypted.ts";
import type { Name } from "../users.ts";
import { Browser, startTestServerWithPush, untilPushed, PushServer } from "../push/push-server.ts";
import type { Params, TestServer } from "../test-server.ts";

const LINE = "POST /users/me/push_subscriptions";
const LIST = "GET /users/me/push_subscriptions";
const NTFY = "POST /users/me/push_subscriptions/ntfy";

let testServer: TestServer;
let site: PushServer;
let browser: Browser;
beforeEach(async () => {
  site = await PushServer.open();
  testServer = await startTestServerWithPush();
  browser = await Browser.open(site);
});
afterEach(async () => {
  await testServer.close();
  site.close();
});

const listOf = async (name: Name) => (await testServer.request(name, LIST)).push_subscriptions;
const notify = (name: Name, to: Name, content: string) =>
  testServer.request(name, "POST /messages", {
    type: "direct",
    to: [testServer.idOf(to)],
    content,
  });
async function expectRefused(refusal: Error, line: string, params: Params = {}, name: Name = "bo") {
  const { msg, code } = await testServer.refused(name, line, params);
  expect({ msg, code }).toEqual({ msg: refusal.message, code: "BAD_REQUEST" });
}

test("creates, lists and removes a subscription of a browser", async () => {
  const { subscription } = browser;
  const namedSubscription = { ...subscription, name: " My laptop " };
  const { push_subscription_id: id } = await testServer.request("bo", LINE, namedSubscription);
  expect(await listOf("bo")).toEqual([
    {
      ...{ id, kind: "web", endpoint: subscription.endpoint, name: "My laptop" },
      ...{ with_content: true, with_removals: false },
      ...{ registered: expect.any(Number), failure: null },
    },
  ]);
  expect(await listOf("cy")).toEqual([]);
  await expectRefused(
    errors.pushSubscriptionNotFound(),
    `DELETE /users/me/push_subscriptions/${id}`,
    {},
    "cy",
  );
  await expectRefused(
    errors.pushSubscriptionNotFound(),
    `POST /users/me/push_subscriptions/${id}/test`,
    {},
    "cy",
  );
  await testServer.request("bo", `DELETE /users/me/push_subscriptions/${id}`);
  expect(await listOf("bo")).toEqual([]);
  await expectRefused(
    errors.pushSubscriptionNotFound(),
    `DELETE /users/me/push_subscriptions/${id}`,
  );
});

test("changes an existing subscription instead of adding another", async () => {
  const { subscription } = browser;
  const first = await testServer.request("bo", LINE, subscription);
  const secondResponse = await testServer.request("bo", LINE, {
    ...subscription,
    with_content: false,
    name: "x",
  });
  expect(secondResponse.push_subscription_id).toBe(first.push_subscription_id);
  expect(await listOf("bo")).toMatchObject([{ with_content: false, name: "x" }]);
});

test("assigns a browser to the last user who signed in", async () => {
  await testServer.request("bo", LINE, browser.subscription);
  await notify("ada", "bo", "for bo alone");
  await testServer.request("cy", LINE, browser.subscription);
  expect(await listOf("bo")).toEqual([]);
  expect(await listOf("cy")).toHaveLength(1);
  await notify("ada", "bo", "for bo alone");
  await untilPushed(testServer);
  expect(browser.requests).toEqual([]);
});

test("does not push messages sent before the subscription", async () => {
  await notify("ada", "bo", "early");
  await testServer.request("bo", LINE, browser.subscription);
  await untilPushed(testServer);
  expect(browser.requests).toEqual([]);
  const other = await Browser.open(site);
  await notify("ada", "bo", "between");
  await testServer.request("bo", LINE, other.subscription);
  await untilPushed(testServer);
  expect((await browser.decryptAll()).map(({ body }) => body)).toEqual(["between"]);
  expect(other.requests).toEqual([]);
});

test("removes a subscription with its key, and an ntfy topic with all keys", async () => {
  await testServer.request("bo", LINE, browser.subscription);
  await testServer.request("bo", NTFY, { topic_url: `${site.url}/bo-topic` });
  const subscriptionKinds = () =>
    [...testServer.realm.read.push_subscriptions.range()].map(({ kind }) => kind);
  expect(subscriptionKinds().sort()).toEqual(["ntfy", "web"]);
  const { api_keys } = await testServer.request("bo", "GET /users/me/api_keys");
  await testServer.request("bo", `DELETE /users/me/api_keys/${api_keys[0].id}`);
  expect(subscriptionKinds()).toEqual(["ntfy"]);
  await testServer.request("cy", LINE, (await Browser.open(site)).subscription);
  await testServer.request("cy", NTFY, { topic_url: `${site.url}/cy-topic` });
  await testServer.request("cy", "POST /users/me/api_key/regenerate");
  expect(subscriptionKinds()).toEqual(["ntfy"]);
});

test("rejects an invalid endpoint or key", async () => {
  const { subscription } = browser;
  const { p256dh, auth } = subscription;
  const otherKey = Buffer.from(p256dh, "base64url");
  otherKey[64]! ^= 1;
  const address = errors.pushAddressInvalid();
  const keys = errors.pushPointInvalid();
  const cases: [Params, Error][] = [
    [{ endpoint: "ftp://push.example/x" }, address],
    [{ endpoint: "https://me:secret@push.example/x" }, address],
    [{ endpoint: "push" }, address],
    [{ endpoint: `https://push.example/${"x".repeat(2_000)}` }, address],
    [{ p256dh: "AAAA" }, keys],
    [{ p256dh: otherKey.toString("base64url") }, keys],
    [{ p256dh: `${p256dh} ` }, keys],
    [{ auth: `${auth}AA` }, keys],
    [{ auth: "" }, keys],
  ];
  for (const [wrong, refusal] of cases) {
    await expectRefused(refusal, LINE, { ...subscription, ...wrong });
  }
  for (const topic_url of ["https://ntfy.example/", "https://ntfy.example/a/b", "x", "ftp://x/y"]) {
    await expectRefused(errors.ntfyTopicInvalid(), NTFY, { topic_url });
  }
  const topic_url = "https://ntfy.example/topic";
  await expectRefused(errors.ntfyTopicInvalid(), NTFY, { topic_url, access_token: "a\r\nb" });
  const bot = await testServer.refused("bot", LINE, subscription);
  expect(bot.msg).toBe("This endpoint does not accept bot requests.");
  expect(testServer.realm.read.push_subscriptions.count()).toBe(0);
});

test("accepts padded base64 keys as well", async () => {
  const { endpoint, ...keys } = browser.subscription;
  const toBase64 = (text: string) => Buffer.from(text, "base64url").toString("base64");
  const input = { p256dh: toBase64(keys.p256dh), auth: toBase64(keys.auth) };
  await testServer.request("bo", LINE, { endpoint, ...input });
  await notify("ada", "bo", "hi");
  await untilPushed(testServer);
  expect((await browser.decryptAll())[0].body).toBe("hi");
});

test("removes the oldest subscription at the limit", async () => {
  for (let n = 0; n <= PUSH_SUBSCRIPTIONS_PER_USER_MAX; n++) {
    await testServer.request("bo", NTFY, { topic_url: `${site.url}/topic${n}` });
  }
  const topics = (await listOf("bo")).map(({ endpoint }: { endpoint: string }) => endpoint);
  expect(topics).toHaveLength(PUSH_SUBSCRIPTIONS_PER_USER_MAX);
  expect(topics[0]).toBe(`${site.url}/topic1`);
});

test("has one key pair per organization, whose private key cannot be read", async () => {
  const { application_server_key: key } = await testServer.request("bo", LIST);
  expect(Buffer.from(key, "base64url")).toHaveLength(65);
  await testServer.restart();
  expect((await testServer.request("cy", LIST)).application_server_key).toBe(key);
  const row = testServer.realm.read.push_keys.get(1)!;
  const secret = decryptText(testServer.realm, row.sealed, "push key")!;
  expect(Buffer.from(secret, "base64url")).toHaveLength(32);
  const access_token = "tk_that_nobody_is_to_read";
  await testServer.request("bo", NTFY, { topic_url: `${site.url}/topic`, access_token });
  const disk = readFileSync(join(testServer.directory, "data", "data.mdb"));
  for (const text of [secret, Buffer.from(secret, "base64url"), access_token]) {
    expect(disk.includes(text)).toBe(false);
  }
  expect(disk.includes(key)).toBe(true);
});

test("creates new keys if the secret is lost, and browsers subscribe again", async () => {
  await testServer.request("bo", LINE, browser.subscription);
  await testServer.request("bo", NTFY, { topic_url: `${site.url}/topic` });
  const { application_server_key: before } = await testServer.request("bo", LIST);
  rmSync(join(testServer.directory, "data", "secrets"));
  await testServer.restart();
  const response = await testServer.request("bo", LIST);
  expect(response.application_server_key).not.toBe(before);
  expect(response.push_subscriptions).toMatchObject([{ kind: "ntfy" }]);
});

test("keeps returning the state of mobile push support", async () => {
  await testServer.request("bo", LINE, browser.subscription);
  expect((await testServer.request(null, "GET /server_settings")).push_notifications_enabled).toBe(
    false,
  );
  const { realm_push_notifications_enabled: isEnabled } = await testServer.request(
    "bo",
    "POST /register",
  );
  expect(isEnabled).toBe(false);
});
