// Scheduled messages are sent once when due, or returned with a reason.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import { sendScheduled } from "../../src/features/scheduled/jobs.ts";
import type { DueJob } from "../../src/schema/records.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";
import { until } from "../wait-until.ts";

const HOUR_SECONDS = 3_600;
const LATE_SECONDS = 601;

let testServer: TestServer;
let general: number;
beforeEach(async () => {
  testServer = await startTestServer();
  general = testServer.realm.read.channels.findBy("name", "general")!.stream_id;
});
afterEach(() => testServer.close());

const inSeconds = (seconds: number) => testServer.realm.read.now + seconds;
async function schedule(name: Name, params: Params = {}): Promise<number> {
  const { scheduled_message_id } = await testServer.request(name, "POST /scheduled_messages", {
    type: "stream",
    to: general,
    topic: "tea",
    content: "*now*",
    scheduled_delivery_timestamp: inSeconds(HOUR_SECONDS),
    ...params,
  });
  return scheduled_message_id;
}
const jobs = () => [...testServer.realm.read.due.range()];
const listScheduled = async (name: Name): Promise<Json[]> =>
  (await testServer.request(name, "GET /scheduled_messages")).scheduled_messages;
const newestMessage = async (name: Name): Promise<Json> => {
  const params = { anchor: "newest", num_before: 1, num_after: 0, apply_markdown: false };
  return (await testServer.request(name, "GET /messages", params)).messages[0];
};
const messageCount = () => testServer.realm.read.messages.count();

/** Advances the clock and runs the delivery job. */
async function passTime(seconds = HOUR_SECONDS): Promise<void> {
  testServer.clock.passSeconds(seconds);
  testServer.realm.onDue();
  await until(() => !jobs().some((job) => job.at <= testServer.clock.now()));
}

async function isAbsent(name: Name, line: string, refusal: errors.Refusal, params: Params = {}) {
  const { errCode: code, status, message: msg } = refusal;
  expect(await testServer.refused(name, line, params)).toMatchObject({ status, code, msg });
}

test("sends the message at its time, and removes the scheduled message", async () => {
  const id = await schedule("bo");
  await passTime(HOUR_SECONDS - 60);
  expect(await listScheduled("bo")).toHaveLength(1);
  const { events } = await staysInSync(testServer, ["bo", "cy"], () => passTime(60));
  const message = {
    sender_id: testServer.idOf("bo"),
    stream_id: general,
    subject: "tea",
    content: "<p><em>now</em></p>",
    client: "SkeinTest",
  };
  const kinds = events.bo!.map((event) => event["type"]).filter((type) => type !== "user_topic");
  expect(kinds.filter((type) => type !== "muted_topics")).toEqual([
    "message",
    "scheduled_messages",
  ]);
  expect(events.bo!.at(-1)).toMatchObject({ op: "remove", scheduled_message_id: id });
  expect(events.cy).toMatchObject([{ type: "message", message, flags: [] }]);
  expect(events.cy![0]!["message"].timestamp).toBeGreaterThanOrEqual(inSeconds(-5));
  expect(events.cy![0]).not.toHaveProperty("local_message_id");
  expect(await listScheduled("bo")).toEqual([]);
  await isAbsent("bo", `PATCH /scheduled_messages/${id}`, messageErrors.scheduledAlreadySent(), {
    content: "too late",
  });
  await isAbsent("bo", `DELETE /scheduled_messages/${id}`, messageErrors.scheduledNotFound());
  await isAbsent("cy", `PATCH /scheduled_messages/${id}`, messageErrors.scheduledNotFound(), {
    content: "x",
  });
});

test("marks it as read by its author if the request or its client says so", async () => {
  const scheduleMessage = async (params: Params) => {
    await schedule("bo", params);
    await passTime();
    return (await newestMessage("bo")).flags as string[];
  };
  const app = "ZulipMobile";
  const direct = { type: "direct", to: [testServer.idOf("bo")] };
  expect(await scheduleMessage({})).not.toContain("read");
  expect(await scheduleMessage({ read_by_sender: true })).toContain("read");
  expect(await scheduleMessage({ client: app })).toContain("read");
  expect(await scheduleMessage({ client: app, read_by_sender: false })).not.toContain("read");
  expect(await scheduleMessage({ client: app, ...direct })).not.toContain("read");
});

test("sends messages at startup, once, that were due while the server was down", async () => {
  const listener = await testServer.listen("cy", { event_types: ["message"] });
  await schedule("bo");
  const before = messageCount();
  testServer.clock.passSeconds(HOUR_SECONDS + LATE_SECONDS - 30);
  expect(messageCount()).toBe(before);
  await testServer.restart();
  expect(await listener.next()).toMatchObject({ message: { content: "*now*" } });
  const count = messageCount();
  await testServer.restart();
  await passTime(0);
  expect(messageCount()).toBe(count);
  expect(await listener.takeAll()).toEqual([]);
});

test("sends nothing twice after a crash between the send and the end of the job", async () => {
  await schedule("bo");
  const [job] = jobs() as [DueJob];
  await passTime();
  const count = messageCount();
  await testServer.realm.write((tx) => tx.due.put(job));
  await testServer.restart();
  await passTime(0);
  expect(jobs()).toEqual([]);
  expect(messageCount()).toBe(count);
});

test("sends one message if a job runs several times at once", async () => {
  await schedule("bo");
  const [job] = jobs() as [DueJob];
  const count = messageCount();
  testServer.clock.passSeconds(HOUR_SECONDS);
  await Promise.all([1, 2, 3].map(() => sendScheduled(testServer.realm, job)));
  expect(messageCount()).toBe(count + 1);
});

test("sends nothing for a job from before a change", async () => {
  const id = await schedule("bo");
  const [job] = jobs() as [DueJob];
  const scheduled_delivery_timestamp = inSeconds(2 * HOUR_SECONDS);
  await testServer.request("bo", `PATCH /scheduled_messages/${id}`, {
    scheduled_delivery_timestamp,
  });
  await testServer.realm.write((tx) => tx.due.put(job));
  const count = messageCount();
  await passTime();
  expect(messageCount()).toBe(count);
  await passTime();
  expect(messageCount()).toBe(count + 1);
});

test("marks a message as failed after ten minutes, until it is changed", async () => {
  const id = await schedule("bo");
  const { events } = await staysInSync(testServer, ["bo", "cy"], () =>
    passTime(HOUR_SECONDS + LATE_SECONDS),
  );
  expect(events.cy).toEqual([]);
  const [update, notice] = events.bo!;
  expect(events.bo).toHaveLength(2);
  expect(update).toMatchObject({
    type: "scheduled_messages",
    op: "update",
    scheduled_message: { scheduled_message_id: id, failed: true },
  });
  expect(notice).toMatchObject({ type: "message", message: { type: "private" } });
  const { content, sender_full_name } = await newestMessage("bo");
  expect(sender_full_name).toBe("Notification Bot");
  expect(content).toContain(`> ${messageErrors.deliveryTooLate().message}\n`);
  expect(content).toContain(`(${testServer.realm.config.url}/#scheduled)`);

  const count = messageCount();
  await testServer.restart();
  await passTime(0);
  expect(messageCount()).toBe(count);
  const line = `PATCH /scheduled_messages/${id}`;
  await isAbsent("bo", line, messageErrors.deliveryTimePast(), { content: "again" });
  const change = { scheduled_delivery_timestamp: inSeconds(HOUR_SECONDS) };
  await staysInSync(testServer, ["bo"], () => testServer.request("bo", line, change));
  expect(await listScheduled("bo")).toMatchObject([{ failed: false }]);
  await passTime();
  expect(messageCount()).toBe(count + 1);
});

test("marks a message as failed if its author may no longer send it", async () => {
  await schedule("bo");
  await testServer.request("ada", `DELETE /streams/${general}`);
  const { events } = await staysInSync(testServer, ["bo"], () => passTime());
  expect(events.bo!.map((event) => event["type"])).toEqual(["scheduled_messages", "message"]);
  expect((await newestMessage("bo")).content).toContain(
    messageErrors.sendingNotAuthorized("general").message,
  );
  expect(await listScheduled("bo")).toMatchObject([{ failed: true }]);
});

test("names an inaccessible channel only by its id", async () => {
  const closed = { name: "cellar", subscribers: [testServer.idOf("bo")], invite_only: true };
  const { id } = await testServer.request("ada", "POST /channels/create", closed);
  await schedule("bo", { to: id });
  const params = { subscriptions: ["cellar"], principals: [testServer.idOf("bo")] };
  await testServer.request("ada", "DELETE /users/me/subscriptions", params);
  await testServer.request("ada", `PATCH /streams/${id}`, { new_name: "dungeon" });
  await passTime();
  const { content } = await newestMessage("bo");
  expect(content).toContain(`Channel with ID '${id}' does not exist`);
  expect(content).not.toContain("dungeon");
});

test("sends nothing of deactivated users, and does not notify them", async () => {
  await schedule("bo");
  await testServer.request("olga", `DELETE /users/${testServer.idOf("bo")}`);
  const count = messageCount();
  await passTime();
  expect(messageCount()).toBe(count);
  await testServer.request("olga", `POST /users/${testServer.idOf("bo")}/reactivate`);
  expect(await listScheduled("bo")).toMatchObject([{ failed: true }]);
});

test("sends all messages that are due together, in order of their times", async () => {
  const times = Array.from({ length: 60 }, (_, index) => index);
  await Promise.all(
    times.map((time) => {
      const scheduled_delivery_timestamp = inSeconds(HOUR_SECONDS) + time;
      return schedule("bo", { content: `nr ${time}`, scheduled_delivery_timestamp });
    }),
  );
  await passTime(HOUR_SECONDS + times.length);
  const params = {
    anchor: "newest",
    num_before: times.length,
    num_after: 0,
    apply_markdown: false,
  };
  const { messages } = await testServer.request("cy", "GET /messages", params);
  expect(messages.map((message: Json) => message.content)).toEqual(
    times.map((index) => `nr ${index}`),
  );
});

test("sends a scheduled poll", async () => {
  await schedule("bo", { content: "/poll Tea?\nyes" });
  await passTime();
  expect((await newestMessage("cy")).submessages).toMatchObject([{ msg_type: "widget" }]);
});
