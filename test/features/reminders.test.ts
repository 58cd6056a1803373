// Reminders are created, deleted, and delivered once by the notification bot.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import { sendReminder } from "../../src/features/reminders/jobs.ts";
import type { DueJob } from "../../src/schema/records.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";
import { until } from "../wait-until.ts";

const HOUR_SECONDS = 3_600;
const POST = "POST /reminders";

let testServer: TestServer;
let message_id: number;
beforeEach(async () => {
  testServer = await startTestServer();
  message_id = await post("cy", { content: "buy *milk*" });
});
afterEach(() => testServer.close());

const inSeconds = (seconds: number) => testServer.realm.read.now + seconds;
const post = async (name: Name, params: Params): Promise<number> => {
  const message = { type: "stream", to: "general", topic: "tea", content: "words", ...params };
  return (await testServer.request(name, "POST /messages", message)).id;
};
const notify = (name: Name, to: Name, content: string) =>
  post(name, { type: "direct", to: [testServer.idOf(to)], content });
const send = async (name: Name, params: Params = {}): Promise<number> => {
  const scheduled_delivery_timestamp = inSeconds(HOUR_SECONDS);
  const request = { message_id, scheduled_delivery_timestamp, ...params };
  return (await testServer.request(name, POST, request)).reminder_id;
};
const listReminders = async (name: Name): Promise<Json[]> =>
  (await testServer.request(name, "GET /reminders")).reminders;
const jobs = () => [...testServer.realm.read.due.range()];
const newestMessage = async (name: Name): Promise<Json> => {
  const params = { anchor: "newest", num_before: 1, num_after: 0, apply_markdown: false };
  return (await testServer.request(name, "GET /messages", params)).messages[0];
};
const mention = (name: Name) => {
  const { full_name, user_id } = testServer.realm.read.users.get(testServer.idOf(name))!;
  return `@_**${full_name}|${user_id}**`;
};

async function passTime(seconds = HOUR_SECONDS): Promise<void> {
  testServer.clock.passSeconds(seconds);
  testServer.realm.onDue();
  await until(() => !jobs().some((job) => job.at <= testServer.clock.now()));
}

async function expectRefused(
  refusal: errors.Refusal,
  requester: Name,
  line: string,
  params: Params = {},
) {
  const { errCode: code, status, message: msg } = refusal;
  expect(await testServer.refused(requester, line, params)).toMatchObject({ status, code, msg });
}

const messageUrl = (id: number) =>
  `${testServer.realm.config.url}/#narrow/channel/1-general/topic/tea/near/${id}`;
const link = (id: number) => `[#general > tea @ 💬](${messageUrl(id)})`;

test("creates and deletes a reminder, with events only to the user", async () => {
  const time = inSeconds(HOUR_SECONDS);
  const { result: id, events } = await staysInSync(testServer, ["bo", "cy"], () =>
    send("bo", { scheduled_delivery_timestamp: time }),
  );
  const reminder = {
    reminder_id: id,
    type: "private",
    to: [testServer.idOf("bo")],
    content: expect.stringContaining("buy *milk*"),
    rendered_content: expect.stringContaining("<p>buy <em>milk</em></p>"),
    scheduled_delivery_timestamp: time,
    failed: false,
    reminder_target_message_id: message_id,
  };
  expect(events.bo).toMatchObject([{ type: "reminders", op: "add", reminders: [reminder] }]);
  expect(events.cy).toEqual([]);
  expect(await listReminders("bo")).toEqual([reminder]);
  expect(await listReminders("cy")).toEqual([]);

  const removal = await staysInSync(testServer, ["bo", "cy"], () =>
    testServer.request("bo", `DELETE /reminders/${id}`),
  );
  expect(removal.events.bo).toMatchObject([{ op: "remove", reminder_id: id }]);
  expect(removal.events.cy).toEqual([]);
  expect(await listReminders("bo")).toEqual([]);
  expect(jobs()).toEqual([]);
});

test("quotes the message as it is at the time of the reminder", async () => {
  const id = await send("bo", { note: "before\nnoon" });
  await testServer.request("cy", `PATCH /messages/${message_id}`, {
    content: "@**all** buy ```oil```",
  });
  const { events } = await staysInSync(testServer, ["bo", "cy"], () => passTime());
  expect(events.cy).toEqual([]);
  expect(events.bo).toMatchObject([
    { type: "message", message: { type: "private", sender_full_name: "Notification Bot" } },
    { type: "reminders", op: "remove", reminder_id: id },
  ]);
  const { content, flags, display_recipient } = await newestMessage("bo");
  expect(content).toBe(
    `You requested a reminder for ${link(message_id)}. Note:\n> before\n> noon\n\n` +
      `${mention("cy")} [said](${messageUrl(message_id)}):\n` +
      "````quote\n@**all** buy ```oil```\n````",
  );
  expect(flags).toEqual([]);
  expect(display_recipient.map((person: Json) => person.id)).toContain(testServer.idOf("bo"));
});

test("sends the reminder in German to a user with that language", async () => {
  await testServer.request("bo", "PATCH /settings", { default_language: "de" });
  await send("bo", { note: "vor Mittag" });
  await passTime();
  const { content } = await newestMessage("bo");
  expect(content).toStartWith(
    `Du wolltest an ${link(message_id)} erinnert werden. Notiz:\n> vor Mittag\n\n` +
      `${mention("cy")} [schrieb](${messageUrl(message_id)}):\n`,
  );
  const list = await post("cy", { content: "/todo" });
  await send("bo", { message_id: list });
  await passTime();
  const sent = `${mention("cy")} hat [eine Aufgabenliste](${messageUrl(list)}) geschickt.`;
  expect((await newestMessage("bo")).content).toEndWith(sent);
});

test("has suitable texts for direct messages, polls and to-do lists", async () => {
  const addReminder = async (id: number) => {
    await send("bo", { message_id: id });
    await passTime();
    return (await newestMessage("bo")).content as string;
  };
  const direct = await addReminder(await notify("cy", "bo", "psst"));
  const [bo, cy] = [testServer.idOf("bo"), testServer.idOf("cy")];
  expect(direct).toStartWith("You requested a reminder for the following direct message.\n\n");
  expect(direct).toContain(`[said](${testServer.realm.config.url}/#narrow/dm/${bo},${cy}-dm/near/`);
  expect(direct).toEndWith("```quote\npsst\n```");
  const poll = await post("cy", { content: "/poll Tea?" });
  expect(await addReminder(poll)).toEndWith(`${mention("cy")} sent [a poll](${messageUrl(poll)}).`);
  const list = await post("cy", { content: "/todo" });
  expect(await addReminder(list)).toEndWith(`sent [a todo list](${messageUrl(list)}).`);
});

test("quotes a message whose first submessage is not a widget", async () => {
  for (const content of ["null", "[]", '{"widget_type":"poll"}']) {
    const id = await post("cy", { content: `with ${content}` });
    const submessage = { message_id: id, msg_type: "note", content };
    await testServer.request("cy", "POST /submessage", submessage);
    await send("bo", { message_id: id });
    await passTime();
    expect((await newestMessage("bo")).content).toEndWith(`quote\nwith ${content}\n\`\`\``);
  }
});

test("quotes the original of a message that can no longer be read", async () => {
  const closed = { name: "cellar", subscribers: [testServer.idOf("bo")], invite_only: true };
  await testServer.request("ada", "POST /channels/create", closed);
  const id = await post("bo", { to: "cellar", content: "at first" });
  await send("bo", { message_id: id });
  await testServer.request("bo", `PATCH /messages/${id}`, { content: "afterwards" });
  const params = { subscriptions: ["cellar"], principals: [testServer.idOf("bo")] };
  await testServer.request("ada", "DELETE /users/me/subscriptions", params);
  await passTime();
  expect((await newestMessage("bo")).content).toEndWith("```quote\nat first\n```");
  await send("bo");
  await testServer.request("ada", `DELETE /messages/${message_id}`);
  await passTime();
  expect((await newestMessage("bo")).content).toContain("buy *milk*");
});

test("truncates a long message so that the reminder fits in one message", async () => {
  const id = await post("cy", { content: "é".repeat(10_000) });
  await send("bo", { message_id: id, note: "\n".repeat(998) + "x" });
  await passTime();
  const { content } = await newestMessage("bo");
  expect([...content]).toHaveLength(10_000);
  expect(content).toEndWith("éé\n[message truncated]\n```");
});

test("is sent even if late, and only once", async () => {
  await send("bo");
  const [job] = jobs() as [DueJob];
  const count = testServer.realm.read.messages.count();
  testServer.clock.passSeconds(50 * HOUR_SECONDS);
  await Promise.all([1, 2, 3].map(() => sendReminder(testServer.realm, job)));
  await testServer.restart();
  await passTime(0);
  await testServer.realm.write((tx) => tx.due.put(job));
  await testServer.restart();
  await passTime(0);
  expect(jobs()).toEqual([]);
  expect(testServer.realm.read.messages.count()).toBe(count + 1);
});

test("sends reminders at startup that were due while the server was down", async () => {
  const listener = await testServer.listen("bo", { event_types: ["message"] });
  await send("bo");
  testServer.clock.passSeconds(2 * HOUR_SECONDS);
  await testServer.restart();
  expect(await listener.next()).toMatchObject({
    message: { sender_full_name: "Notification Bot" },
  });
});

test("does not remind deactivated users, who find the reminder as failed", async () => {
  await send("bo");
  await testServer.request("olga", `DELETE /users/${testServer.idOf("bo")}`);
  const count = testServer.realm.read.messages.count();
  await passTime();
  expect(testServer.realm.read.messages.count()).toBe(count);
  await testServer.request("olga", `POST /users/${testServer.idOf("bo")}/reactivate`);
  const [reminder] = await listReminders("bo");
  expect(reminder.failed).toBe(true);
  await testServer.request("bo", `DELETE /reminders/${reminder.reminder_id}`);
});

test("rejects invalid requests", async () => {
  const hiddenId = await notify("cy", "ada", "psst");
  const cases: [Params, errors.Refusal][] = [
    [{ scheduled_delivery_timestamp: inSeconds(0) }, messageErrors.deliveryTimePast()],
    [{ message_id: undefined }, errors.missingParameter("message_id")],
    [{ message_id: 9999 }, messageErrors.messageNotFound()],
    [{ message_id: hiddenId }, messageErrors.messageNotFound()],
    [{ note: "n".repeat(1001) }, messageErrors.reminderNoteTooLong(1000)],
    [{ note: "a\0b" }, messageErrors.messageWithNull()],
  ];
  for (const [params, refusal] of cases) {
    const request = { message_id, scheduled_delivery_timestamp: inSeconds(9), ...params };
    await expectRefused(refusal, "bo", POST, request);
  }
  expect(await listReminders("bo")).toEqual([]);
});

test("rejects deleting another user's reminder, or a missing one", async () => {
  const id = await send("bo");
  await expectRefused(messageErrors.reminderNotFound(), "cy", `DELETE /reminders/${id}`);
  await expectRefused(messageErrors.reminderNotFound(), "bo", "DELETE /reminders/9999");
  expect(await listReminders("bo")).toHaveLength(1);
});

test("hides the author's name from a guest who cannot see the author", async () => {
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    const can_access_all_users_group = tx.groups.findBy("name", "role:members")!.id;
    tx.realm.put({ ...realm, settings: { ...realm.settings, can_access_all_users_group } });
  });
  const open = { name: "garden", subscribers: [testServer.idOf("gus"), testServer.idOf("ada")] };
  await testServer.request("ada", "POST /channels/create", open);
  const id = await post("cy", { to: "garden" });
  await send("gus", { message_id: id });
  await passTime();
  const { content } = await newestMessage("gus");
  expect(content).toContain("Unknown user [said](");
  expect(content).not.toContain("Cy");
});
