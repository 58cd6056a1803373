// Scheduled messages are created, changed and deleted before they are due.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

const POST = "POST /scheduled_messages";
const HOUR_SECONDS = 3_600;

let testServer: TestServer;
let general: number;
beforeEach(async () => {
  testServer = await startTestServer();
  general = testServer.realm.read.channels.findBy("name", "general")!.stream_id;
});
afterEach(() => testServer.close());

const inSeconds = (seconds: number) => testServer.realm.read.now + seconds;
const channelParams = (params: Params = {}): Params => ({
  type: "channel",
  to: general,
  topic: "tea",
  content: "*soon*",
  scheduled_delivery_timestamp: inSeconds(HOUR_SECONDS),
  ...params,
});
const directParams = (to: Name[], params: Params = {}): Params => ({
  type: "direct",
  to: to.map((name) => testServer.idOf(name)),
  content: "hey",
  scheduled_delivery_timestamp: inSeconds(HOUR_SECONDS),
  ...params,
});
const schedule = async (name: Name, params: Params) =>
  (await testServer.request(name, POST, params)).scheduled_message_id as number;
const listScheduled = async (name: Name): Promise<Json[]> =>
  (await testServer.request(name, "GET /scheduled_messages")).scheduled_messages;

async function expectRefused(
  refusal: errors.Refusal,
  requester: Name,
  line: string,
  params: Params = {},
) {
  const { errCode: code, status, message: msg, extra } = refusal;
  expect(await testServer.refused(requester, line, params)).toMatchObject({
    status,
    code,
    msg,
    ...extra,
  });
}

test("schedules, changes and deletes a message, with events only to the author", async () => {
  const time = inSeconds(HOUR_SECONDS);
  const { result: id, events } = await staysInSync(testServer, ["bo", "cy", "ada"], () =>
    schedule("bo", channelParams({ scheduled_delivery_timestamp: time, topic: " Tea " })),
  );
  const scheduled = {
    scheduled_message_id: id,
    type: "stream",
    to: general,
    topic: "Tea",
    content: "*soon*",
    rendered_content: "<p><em>soon</em></p>",
    scheduled_delivery_timestamp: time,
    failed: false,
  };
  const { id: _event, ...event } = events.bo![0]!;
  const add = { type: "scheduled_messages", op: "add", scheduled_messages: [scheduled] };
  expect(event).toEqual(add);
  expect([events.cy, events.ada]).toEqual([[], []]);
  expect(await listScheduled("bo")).toEqual([scheduled]);
  expect(await listScheduled("cy")).toEqual([]);

  const line = `PATCH /scheduled_messages/${id}`;
  const change = { content: "later", scheduled_delivery_timestamp: time + 60 };
  const changeResult = await staysInSync(testServer, ["bo", "cy"], () =>
    testServer.request("bo", line, change),
  );
  const now = { ...scheduled, ...change, rendered_content: "<p>later</p>" };
  expect(changeResult.events.bo).toMatchObject([{ op: "update", scheduled_message: now }]);
  expect(changeResult.events.cy).toEqual([]);
  expect(await listScheduled("bo")).toEqual([now]);

  const removal = await staysInSync(testServer, ["bo", "cy"], () =>
    testServer.request("bo", `DELETE /scheduled_messages/${id}`),
  );
  expect(removal.events.bo).toMatchObject([{ op: "remove", scheduled_message_id: id }]);
  expect(removal.events.cy).toEqual([]);
  expect(await listScheduled("bo")).toEqual([]);
  expect([...testServer.realm.read.due.range()]).toEqual([]);
});

test("lists messages in order of their times, and returns them at register", async () => {
  const late = await schedule(
    "bo",
    channelParams({ scheduled_delivery_timestamp: inSeconds(900) }),
  );
  const response = await schedule(
    "bo",
    directParams(["cy"], { scheduled_delivery_timestamp: inSeconds(9) }),
  );
  expect((await listScheduled("bo")).map((item) => item.scheduled_message_id)).toEqual([
    response,
    late,
  ]);
  const snapshot = await testServer.request("bo", "POST /register", {
    fetch_event_types: ["scheduled_messages"],
  });
  expect(snapshot.scheduled_messages).toEqual(await listScheduled("bo"));
});

test("lists recipients without the author", async () => {
  const [bo, cy, ada] = [testServer.idOf("bo"), testServer.idOf("cy"), testServer.idOf("ada")];
  await schedule("bo", directParams(["cy", "bo", "cy"]));
  await schedule("bo", directParams(["cy", "ada"], { type: "private", topic: "ignored" }));
  await schedule("bo", directParams(["bo"]));
  const places = (await listScheduled("bo")).map(({ type, to, topic }) => ({ type, to, topic }));
  const direct = (to: number[]) => ({ type: "private", to, topic: undefined });
  expect(places).toEqual([direct([cy]), direct([ada, cy]), direct([bo])]);
});

test("checks a new recipient or topic again", async () => {
  const cy = testServer.idOf("cy");
  const id = await schedule("bo", channelParams());
  const patch = (params: Params) =>
    staysInSync(testServer, ["bo"], () =>
      testServer.request("bo", `PATCH /scheduled_messages/${id}`, params),
    );
  const firstScheduled = async () => (await listScheduled("bo"))[0];
  await patch({ topic: "cake" });
  expect(await firstScheduled()).toMatchObject({ type: "stream", to: general, topic: "cake" });
  const sandbox = testServer.realm.read.channels.findBy("name", "sandbox")!.stream_id;
  await patch({ to: sandbox });
  expect(await firstScheduled()).toMatchObject({ type: "stream", to: sandbox, topic: "cake" });
  await patch({ type: "direct", to: [cy] });
  expect(await firstScheduled()).toMatchObject({ type: "private", to: [cy], content: "*soon*" });
  await patch({ topic: "of no use" });
  expect(await firstScheduled()).not.toHaveProperty("topic");
  await patch({ to: [cy, testServer.idOf("ada")] });
  expect((await firstScheduled()).to).toEqual([testServer.idOf("ada"), cy]);
  await patch({ type: "stream", to: general, topic: "tea" });
  expect(await firstScheduled()).toMatchObject({ type: "stream", to: general, topic: "tea" });
  expect(testServer.realm.read.due.count()).toBe(1);
});

test("rejects invalid requests", async () => {
  const cases: [Params, errors.Refusal][] = [
    [{ scheduled_delivery_timestamp: inSeconds(0) }, messageErrors.deliveryTimePast()],
    [
      { scheduled_delivery_timestamp: undefined },
      errors.missingParameter("scheduled_delivery_timestamp"),
    ],
    [{ to: [general] }, messageErrors.channelIdTypeInvalid()],
    [{ to: "general" }, messageErrors.channelIdTypeInvalid()],
    [{ type: "direct", to: "cy@example.com" }, messageErrors.recipientsTypeInvalid()],
    [{ type: "direct", to: ["cy@example.com"] }, messageErrors.recipientsTypeInvalid()],
    [{ to: 999 }, messageErrors.channelOfIdNotFound(999)],
    [{ topic: undefined }, messageErrors.topicMissing()],
    [{ topic: "a\0" }, messageErrors.topicUnprintable(2)],
    [{ content: " " }, messageErrors.messageEmpty()],
    [{ content: "🏇".repeat(10_000) }, messageErrors.messageUnrenderable()],
    [{ type: "direct" }, messageErrors.recipientsTypeInvalid()],
    [{ type: "direct", to: [] }, messageErrors.recipientsMissing()],
    [{ type: "direct", to: [999] }, messageErrors.recipientIdInvalid(999)],
    [{ type: "group" }, errors.malformed("Invalid type")],
  ];
  for (const [params, refusal] of cases)
    await expectRefused(refusal, "bo", POST, channelParams(params));
  expect(await listScheduled("bo")).toEqual([]);
});

test("rejects messages that could not be sent now", async () => {
  await testServer.realm.write((tx) => {
    const nobody = tx.groups.findBy("name", "role:nobody")!.id;
    const channel = tx.channels.get(general)!;
    tx.channels.put({ ...channel, can_send_message_group: nobody });
    const realm = tx.realm.get(1)!;
    const settings = { ...realm.settings, direct_message_permission_group: nobody };
    tx.realm.put({ ...realm, settings });
  });
  await expectRefused(messageErrors.postingNotAllowed(), "bo", POST, channelParams());
  await expectRefused(messageErrors.directMessagesDisabled(), "bo", POST, directParams(["cy"]));
  const id = await schedule("bo", directParams(["bo"]));
  const line = `PATCH /scheduled_messages/${id}`;
  await expectRefused(messageErrors.directMessagesDisabled(), "bo", line, {
    to: [testServer.idOf("cy")],
  });
  await testServer.request("bo", line, { scheduled_delivery_timestamp: inSeconds(HOUR_SECONDS) });
});

test("rejects invalid changes", async () => {
  const id = await schedule("bo", channelParams());
  const cases: [Params, errors.Refusal][] = [
    [{}, messageErrors.nothingToChange()],
    [{ type: "direct" }, messageErrors.recipientRequired()],
    [{ type: "channel", to: general }, messageErrors.topicRequired()],
    [{ to: [general] }, messageErrors.channelIdTypeInvalid()],
    [{ content: "\n" }, messageErrors.messageEmpty()],
    [{ scheduled_delivery_timestamp: inSeconds(-1) }, messageErrors.deliveryTimePast()],
  ];
  const [before] = await listScheduled("bo");
  for (const [params, refusal] of cases) {
    await expectRefused(refusal, "bo", `PATCH /scheduled_messages/${id}`, params);
  }
  expect(await listScheduled("bo")).toEqual([before]);
});

test("rejects changes of another user's message, or a missing one", async () => {
  const id = await schedule("bo", channelParams());
  for (const [name, method] of [
    ["cy", id],
    ["bo", 9999],
  ] as const) {
    await expectRefused(
      messageErrors.scheduledNotFound(),
      name,
      `DELETE /scheduled_messages/${method}`,
    );
    const line = `PATCH /scheduled_messages/${method}`;
    await expectRefused(messageErrors.scheduledNotFound(), name, line, { content: "ours" });
  }
  expect(await listScheduled("bo")).toHaveLength(1);
});

test("rejects a channel that its author cannot see as missing", async () => {
  const closed = { name: "cellar", subscribers: [testServer.idOf("ada")], invite_only: true };
  const { id } = await testServer.request("ada", "POST /channels/create", closed);
  await expectRefused(messageErrors.channelOfIdNotFound(id), "bo", POST, channelParams({ to: id }));
});

test("stores a time beyond the range of calendars", async () => {
  const scheduled_delivery_timestamp = Number.MAX_SAFE_INTEGER;
  await schedule("bo", channelParams({ scheduled_delivery_timestamp }));
  expect(await listScheduled("bo")).toMatchObject([{ scheduled_delivery_timestamp }]);
});

test("a retry with the same idempotency key schedules nothing again", async () => {
  const body = new URLSearchParams(
    Object.entries(channelParams()).map(([name, value]) => [name, String(value)]),
  );
  const scheduleWith = async (key: string) => {
    const headers = { Authorization: testServer.basicAuthorization("bo"), "Idempotency-Key": key };
    const response = await fetch(`${testServer.url}/api/v1/scheduled_messages`, {
      method: "POST",
      headers,
      body,
    });
    return (await response.json()) as Json;
  };
  const [first, again] = await Promise.all([scheduleWith("one"), scheduleWith("one")]);
  expect(again.scheduled_message_id).toBe(first.scheduled_message_id);
  expect((await scheduleWith("one")).scheduled_message_id).toBe(first.scheduled_message_id);
  expect(await listScheduled("bo")).toHaveLength(1);
  expect((await scheduleWith("two")).scheduled_message_id).not.toBe(first.scheduled_message_id);
  expect(await listScheduled("bo")).toHaveLength(2);
  expect((await scheduleWith("k".repeat(256))).msg).toContain("Idempotency-Key is too long");
});
