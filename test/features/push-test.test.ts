// The button that sends a test push displays the response of the push service.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/general.ts";
import * as peopleErrors from "../../src/contract/errors/people.ts";
import * as people from "../../src/contract/errors/people.ts";
import { Browser, startTestServerWithPush, untilPushed, PushServer } from "../push/push-server.ts";
import type { Json, TestServer } from "../test-server.ts";

const LINE = "POST /users/me/push_subscriptions";

let testServer: TestServer;
let site: PushServer;
beforeAll(async () => {
  site = await PushServer.open();
  testServer = await startTestServerWithPush();
});
beforeEach(() => site.reset());
afterAll(async () => {
  await testServer.close();
  site.close();
});

const listSubscriptions = async () =>
  (await testServer.request("bo", "GET /users/me/push_subscriptions")).push_subscriptions;

test("shows the test in a browser, and returns that it was accepted", async () => {
  const browser = await Browser.open(site);
  const { push_subscription_id: id } = await testServer.request("bo", LINE, browser.subscription);
  const response = await testServer.request("bo", `${LINE}/${id}/test`);
  expect(response).toMatchObject({ is_taken: true, is_gone: false, status: 201, reason: "" });
  const [payload] = await browser.decryptAll();
  expect(payload).toMatchObject({
    ...{
      type: "test",
      realm_url: testServer.url,
      realm_name: "Town",
      user_id: testServer.idOf("bo"),
    },
    ...{ title: "Town", tag: "test", url: testServer.url },
  });
  expect(browser.requests[0]!.headers["ttl"]).toBe("60");
});

test("uses the user's language in place of content", async () => {
  const browser = await Browser.open(site);
  const { subscription } = browser;
  await testServer.request("bo", "PATCH /settings", {
    default_language: "de",
    pm_content_in_desktop_notifications: false,
    enable_online_push_notifications: true,
  });
  const { push_subscription_id: id } = await testServer.request("bo", LINE, subscription);
  const to = [testServer.idOf("bo")];
  const notify = () =>
    testServer.request("ada", "POST /messages", { type: "direct", to, content: "secret" });
  await notify();
  await untilPushed(testServer);
  const shown = { pm_content_in_desktop_notifications: true, timezone: "Europe/Berlin" };
  await testServer.request("bo", "PATCH /settings", shown);
  const content = "```spoiler\nHe dies\n```\n:tada: <time:2026-12-01T10:00:00Z> #**general>x**";
  await testServer.request("ada", "POST /messages", { type: "direct", to, content });
  await untilPushed(testServer);
  await testServer.request("bo", LINE, { ...subscription, with_content: false });
  await notify();
  await untilPushed(testServer);
  await testServer.request("bo", `${LINE}/${id}/test`);
  const payloads = (await browser.decryptAll()) as Json[];
  expect(payloads.map(({ body }) => body)).toEqual([
    "(eine neue Nachricht)",
    "(Verborgener Inhalt. Öffne die Nachricht, um ihn zu lesen.)\n" +
      "\u{1F389} Dienstag, 1. Dezember 2026 um 11:00:00 MEZ #general > x",
    "Du hast eine neue Nachricht.",
    expect.stringContaining("Das ist ein Test."),
  ]);
  site.statusFor = () => 503;
  const { reason } = await testServer.request("bo", `${LINE}/${id}/test`);
  expect(reason).toBe("der Push-Dienst ist überlastet oder nicht verfügbar (503)");
  expect((await listSubscriptions()).find((item: Json) => item.id === id).failure.reason).toBe(
    reason,
  );
  await testServer.request("bo", "PATCH /settings", { default_language: "en" });
});

test("returns and lists the error of a push service until it works", async () => {
  const browser = await Browser.open(site);
  const { push_subscription_id: id } = await testServer.request("bo", LINE, browser.subscription);
  const failures = [
    [403, "the push service denied access (403)"],
    [503, "the push service is busy or unavailable (503)"],
    [undefined, "the connection failed"],
  ] as const;
  for (const [status, reason] of failures) {
    site.statusFor = () => status;
    const response = await testServer.request("bo", `${LINE}/${id}/test`);
    expect(response).toMatchObject({
      is_taken: false,
      is_gone: false,
      status: status ?? null,
      reason,
    });
  }
  const row = (await listSubscriptions()).find((item: { id: number }) => item.id === id);
  expect(row.failure.reason).toBe("the connection failed");
  site.reset();
  await testServer.request("bo", `${LINE}/${id}/test`);
  const after = (await listSubscriptions()).find((item: { id: number }) => item.id === id);
  expect(after.failure).toBeNull();
});

test("removes a missing subscription at its test", async () => {
  const browser = await Browser.open(site);
  const { push_subscription_id: id } = await testServer.request("bo", LINE, browser.subscription);
  site.statusFor = () => 410;
  const response = await testServer.request("bo", `${LINE}/${id}/test`);
  expect(response).toMatchObject({
    ...{ is_taken: false, is_gone: true, status: 410, reason: "the subscription no longer exists" },
  });
  expect((await testServer.refused("bo", `${LINE}/${id}/test`)).msg).toBe(
    people.pushSubscriptionNotFound().message,
  );
});

test("sends the test in ntfy's format to a topic", async () => {
  const line = "POST /users/me/push_subscriptions/ntfy";
  const input = { topic_url: `${site.url}/mine`, access_token: "tk_abc" };
  const { push_subscription_id: id } = await testServer.request("bo", line, input);
  site.statusFor = () => 200;
  expect(await testServer.request("bo", `${LINE}/${id}/test`)).toMatchObject({
    is_taken: true,
    status: 200,
  });
  expect(site.published).toMatchObject([
    { topic: "mine", title: "Town", click: testServer.url, tags: ["white_check_mark"] },
  ]);
  site.statusFor = () => 401;
  expect(await testServer.request("bo", `${LINE}/${id}/test`)).toMatchObject({
    ...{ is_taken: false, status: 401, reason: "the push service denied access (401)" },
  });
});

test("explains that mobile push is not available", async () => {
  const line = "POST /mobile_push/test_notification";
  const none = people.noActivePushDevice();
  const unexpected = people.pushDeviceNotRecognized();
  const { device_id } = await testServer.request("cy", "POST /register_client_device");
  const refusalOf = async (path: string, params = {}) => {
    const { status, code, msg } = await testServer.refused("cy", path, params);
    return { status, code, msg };
  };
  const errorResponse = ({ errCode, message }: errors.Refusal) => ({
    ...{ status: 400, code: errCode as string, msg: message },
  });
  expect(errorResponse(none).code).toBe("NO_ACTIVE_PUSH_DEVICE");
  expect(errorResponse(unexpected).code).toBe("INVALID_PUSH_DEVICE_TOKEN");
  expect(await refusalOf(line)).toEqual(errorResponse(none));
  expect(await refusalOf(line, { token: "abcd" })).toEqual(errorResponse(unexpected));
  await testServer.request("cy", "POST /users/me/android_gcm_reg_id", { token: "abcd" });
  expect(await refusalOf(line)).toEqual(errorResponse(peopleErrors.pushServiceNotConfigured()));
  expect(await refusalOf(line, { token: "abcd" })).toEqual(
    errorResponse(peopleErrors.pushServiceNotConfigured()),
  );
  await testServer.request("bo", "POST /users/me/android_gcm_reg_id", { token: "bo" });
  expect(await refusalOf(line, { token: "bo" })).toEqual(errorResponse(unexpected));
  const sealed = "POST /mobile_push/e2ee/test_notification";
  expect(await refusalOf(sealed)).toEqual(errorResponse(none));
  expect(await refusalOf(sealed, { device_id })).toEqual(errorResponse(none));
  expect(await refusalOf(sealed, { device_id: 999 })).toEqual(
    errorResponse(peopleErrors.deviceNotFound()),
  );
});
