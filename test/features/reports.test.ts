// Reported messages: what moderators learn of the message and its reporter.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let mailServer: number;
let message_id: number;
beforeEach(async () => {
  testServer = await startTestServer();
  const subscribers = [testServer.idOf("mo"), testServer.idOf("ada")];
  const closed = { name: "office", subscribers, invite_only: true };
  mailServer = (await testServer.request("ada", "POST /channels/create", closed)).id;
  await reportTo(mailServer);
  message_id = await post("cy", "general", "buy ```quote``` @**all** @**Ada Admin**");
});
afterEach(() => testServer.close());

const reportTo = (moderation_request_channel_id: number) =>
  testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...realm.settings, moderation_request_channel_id } });
  });
const post = async (name: Name, to: string, content: string): Promise<number> =>
  (await testServer.request(name, "POST /messages", { type: "stream", to, topic: "tea", content }))
    .id;
const report = (name: Name, params: Params = {}, id = message_id) =>
  testServer.request(name, `POST /messages/${id}/report`, { report_type: "spam", ...params });
const newestMessage = async (apply_markdown = false): Promise<Json> => {
  const params = { anchor: "newest", num_before: 1, num_after: 0, apply_markdown };
  return (await testServer.request("mo", "GET /messages", params)).messages[0];
};
const mention = (name: Name) => {
  const { full_name, user_id } = testServer.realm.read.users.get(testServer.idOf(name))!;
  return `@_**${full_name}|${user_id}**`;
};

test("sends the report with its reason to the moderators, and to nobody else", async () => {
  const { events } = await staysInSync(testServer, ["bo", "cy", "mo"], () =>
    report("bo", { description: "again\nand again" }),
  );
  expect([events.bo, events.cy]).toEqual([[], []]);
  expect(events.mo).toMatchObject([
    {
      type: "message",
      message: {
        stream_id: mailServer,
        sender_full_name: "Notification Bot",
        subject: "Cy Member's moderation requests",
      },
      flags: [],
    },
  ]);
  const { url: origin } = testServer.realm.config;
  const url = `${origin}/#narrow/channel/1-general/topic/tea/near/${message_id}`;
  expect((await newestMessage()).content).toBe(
    `${mention("bo")} reported [#general > tea @ 💬](${url}) by ${mention("cy")}.\n\n` +
      "Reason: **Spam**\n\nNotes:\n```quote\nagain\nand again\n```\n\n" +
      "`````spoiler The message\n````quote\nbuy ```quote``` @**all** @**Ada Admin**\n````\n`````",
  );
  expect((await newestMessage(true)).content).toContain('<div class="spoiler-block">');
});

test("mentions nobody in a report, whatever the message or the notes contain", async () => {
  const ada = await testServer.listen("ada", { event_types: ["message"] });
  await report("bo", { report_type: "other", description: "@**all** look" });
  expect(await ada.next()).toMatchObject({ flags: [] });
});

test("lets any user of a direct message report it", async () => {
  const message = { type: "direct", to: [testServer.idOf("gus")], content: "come here" };
  const { id } = await testServer.request("cy", "POST /messages", message);
  await report("gus", { report_type: "harassment" }, id);
  const { content } = await newestMessage();
  expect(content).toStartWith(`${mention("gus")} reported [a direct message](`);
  expect(content).toContain("quote\ncome here\n```");
  const { errCode: code, message: msg } = messageErrors.messageNotFound();
  const line = `POST /messages/${id}/report`;
  expect(await testServer.refused("bo", line, { report_type: "spam" })).toMatchObject({
    code,
    msg,
  });
});

test("fits a long message and its report into one message", async () => {
  const id = await post("cy", "general", "é".repeat(10_000));
  await report("bo", { description: "x".repeat(1000) }, id);
  const { content } = await newestMessage();
  expect([...content]).toHaveLength(10_000);
  expect(content).toEndWith("éé\n[message truncated]\n```\n````");
});

test("rejects invalid reports", async () => {
  const cases: [Params, errors.Refusal][] = [
    [{ report_type: "boring" }, errors.malformed("Invalid report_type")],
    [{ report_type: undefined }, errors.missingParameter("report_type")],
    [{ report_type: "other" }, messageErrors.explanationRequired()],
    [{ report_type: "other", description: " " }, messageErrors.explanationRequired()],
    [{ description: "x".repeat(1001) }, channelErrors.tooLong("description", 1000)],
  ];
  const before = testServer.realm.read.messages.count();
  for (const [params, refusal] of cases) {
    const { errCode: code, status, message: msg } = refusal;
    const request = { report_type: "spam", ...params };
    const line = `POST /messages/${message_id}/report`;
    expect(await testServer.refused("bo", line, request)).toMatchObject({ status, code, msg });
  }
  expect(testServer.realm.read.messages.count()).toBe(before);
});

test("rejects reports without a channel for them", async () => {
  await reportTo(-1);
  const { errCode: code, status, message: msg } = messageErrors.reportsDisabled();
  for (const id of [message_id, 9999]) {
    const refusal = await testServer.refused("bo", `POST /messages/${id}/report`, {
      report_type: "spam",
    });
    expect(refusal).toMatchObject({ status, code, msg });
  }
});
