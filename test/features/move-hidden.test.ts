// Notices and histories of a move do not reveal channels that the reader may not see.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type ChannelFixture, openChannelFixture } from "./channel-fixture.ts";

let fixture: ChannelFixture;
beforeAll(async () => {
  fixture = await openChannelFixture();
});
afterAll(() => fixture.testServer.close());
beforeEach(() => fixture.nextTopic());

const BOTH = { send_notification_to_old_thread: true, send_notification_to_new_thread: true };

/** Notices of the notification bot in the conversation, newest last. */
async function listNotices(name: Name, channel: number, topic = fixture.topic): Promise<string[]> {
  const narrow = [
    { operator: "channel", operand: channel },
    { operator: "topic", operand: topic },
  ];
  const params = { anchor: "newest", num_before: 20, num_after: 0, narrow, apply_markdown: false };
  const { messages } = await fixture.testServer.request(name, "GET /messages", params);
  return (messages as { sender_full_name: string; content: string }[])
    .filter(({ sender_full_name }) => sender_full_name === "Notification Bot")
    .map(({ content }) => content);
}

const mentionOfBo = () => `@_**Bo Member|${fixture.testServer.idOf("bo")}**`;

test("names both places in the notices if every reader may see them", async () => {
  const { topic } = fixture;
  const id = await fixture.post("bo", fixture.kitchen);
  const general = await fixture.make("terrace", ["bo"]);
  await fixture.move("bo", id, { stream_id: general, propagate_mode: "change_all", ...BOTH });
  expect(await listNotices("bo", fixture.kitchen)).toEqual([
    `This topic was moved to #**terrace>${topic}** by ${mentionOfBo()}.`,
  ]);
  expect(await listNotices("bo", general)).toEqual([
    `This topic was moved here from #**kitchen>${topic}** by ${mentionOfBo()}.`,
  ]);
});

test.each([
  ["to a private channel, to readers of the public one", "kitchen", "shed"],
  ["to a public channel, to guests of the other", "garden", "kitchen"],
  ["to a private channel, to readers of another one", "vault", "attic"],
] as const)("does not name the place of a move %s", async (_, from, to) => {
  const attic = to === "attic" ? await fixture.make("attic", ["bo"], { invite_only: true }) : 0;
  const target = attic || fixture[to as "shed"];
  const topic = `secret ${fixture.topic}`;
  const id = await fixture.post("bo", fixture[from]);
  const conversation = { stream_id: target, topic, propagate_mode: "change_all" };
  await fixture.move("bo", id, { ...conversation, ...BOTH });
  const [notice] = await listNotices("bo", fixture[from]);
  expect(notice).toBe(`This topic was moved to another channel by ${mentionOfBo()}.`);
  await fixture.move("bo", id, { stream_id: fixture[from], topic: fixture.topic, ...BOTH });
  const received = await listNotices("bo", fixture[from]);
  expect(received.at(-1)).toContain("was moved here from another channel by");
  expect(received.join("\n")).not.toContain("secret");
  expect(received.join("\n")).not.toContain(`${target}-`);
});

test("the edit history leaves out channels that the reader may not see", async () => {
  const { topic } = fixture;
  const id = await fixture.post("bo", fixture.shed, "said", `secret ${topic}`);
  const inShed = { topic: `hidden ${topic}`, propagate_mode: "change_all", content: "said more" };
  await fixture.move("bo", id, inShed);
  await fixture.move("bo", id, { stream_id: fixture.garden, topic, propagate_mode: "change_all" });
  const last = `open ${topic}`;
  await fixture.move("bo", id, { topic: last, propagate_mode: "change_all" });

  const historyFor = async (name: Name) =>
    (await fixture.testServer.request(name, `GET /messages/${id}/history`)).message_history;
  const requester = { user_id: fixture.testServer.idOf("bo"), timestamp: expect.any(Number) };
  // Mo is in the shed.
  expect(await historyFor("mo")).toMatchObject([
    { content: "said", topic: `secret ${topic}` },
    { topic: `hidden ${topic}`, prev_topic: `secret ${topic}`, prev_content: "said" },
    { topic, prev_topic: `hidden ${topic}`, prev_stream: fixture.shed, stream: fixture.garden },
    { topic: last, prev_topic: topic },
  ]);
  for (const name of ["cy", "gus"] as const) {
    const history = await historyFor(name);
    expect(history).toMatchObject([
      { ...requester, content: "said", topic },
      { ...requester, content: "said more", topic, prev_content: "said" },
      { ...requester, topic, stream: fixture.garden },
      { ...requester, topic: last, prev_topic: topic },
    ]);
    const { edit_history } = await fixture.getMessage(name, id);
    expect(edit_history).toMatchObject([
      { topic: last, prev_topic: topic },
      { topic, stream: fixture.garden },
      { prev_content: "said" },
    ]);
    for (const received of [history, edit_history]) {
      expect(JSON.stringify(received)).not.toMatch(/secret|hidden|prev_stream/);
    }
  }
});

test("gives administrators the id of a channel that they cannot read, but no topics", async () => {
  const { topic } = fixture;
  const id = await fixture.post("bo", fixture.shed, "said", `secret ${topic}`);
  await fixture.move("bo", id, { topic: `hidden ${topic}`, propagate_mode: "change_all" });
  await fixture.move("bo", id, { stream_id: fixture.kitchen, topic, propagate_mode: "change_all" });
  const { message_history } = await fixture.testServer.request(
    "ada",
    `GET /messages/${id}/history`,
  );
  expect(message_history).toMatchObject([
    { topic },
    { topic, prev_stream: fixture.shed, stream: fixture.kitchen },
  ]);
  const { edit_history } = await fixture.getMessage("ada", id);
  expect(edit_history).toMatchObject([
    { topic, prev_stream: fixture.shed, stream: fixture.kitchen },
  ]);
  expect(JSON.stringify([message_history, edit_history])).not.toMatch(/secret|hidden/);
});

test("names the channel without its topic if some readers only see the channel", async () => {
  const porch = await fixture.make("porch", ["ada", "bo"], { invite_only: true });
  const id = await fixture.post("bo", fixture.shed, "said", `secret ${fixture.topic}`);
  const { topic } = fixture;
  await fixture.move("bo", id, { stream_id: porch, topic, propagate_mode: "change_all", ...BOTH });
  expect(await listNotices("bo", porch)).toEqual([
    `This topic was moved here from #**shed** by ${mentionOfBo()}.`,
  ]);
});

test("hides the original channel in the event from users who cannot read it", async () => {
  const { topic, kitchen, testServer } = fixture;
  const den = await fixture.make("den", ["bo", "cy", "mo"], { invite_only: true });
  await testServer.request("mo", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "den" }],
  });
  await testServer.request("ada", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "kitchen" }],
  });
  const id = await fixture.post("bo", den, "said", `secret ${topic}`);
  // Mo received the message and has left the channel.
  await testServer.request("mo", "DELETE /users/me/subscriptions", { subscriptions: ["den"] });
  const { events } = await staysInSync(testServer, ["ada", "bo", "cy", "mo", "gus"], () =>
    fixture.move("bo", id, { stream_id: kitchen, topic, propagate_mode: "change_all" }),
  );
  const moveEvents = (name: Name) => events[name]!.filter(({ type }) => type === "update_message");
  const moveParams = { message_ids: [id], new_stream_id: kitchen, subject: topic };
  const original = { stream_id: den, stream_name: "den", orig_subject: `secret ${topic}` };
  for (const name of ["bo", "cy"] as const) {
    expect(moveEvents(name)).toMatchObject([{ ...moveParams, ...original }]);
  }
  for (const name of ["ada", "mo"] as const) {
    expect(moveEvents(name)).toMatchObject([{ ...moveParams, stream_id: 0, orig_subject: topic }]);
    expect(JSON.stringify(moveEvents(name))).not.toMatch(/secret|den"/);
  }
  expect(events.gus).toEqual([]);
});

test("posts no notice when only the letter case of a topic changes", async () => {
  const id = await fixture.post("bo");
  const topic = fixture.topic.toUpperCase();
  await fixture.move("bo", id, { topic, propagate_mode: "change_all", ...BOTH });
  expect(await fixture.getMessage("bo", id)).toMatchObject({ subject: topic });
  expect(await listNotices("bo", fixture.garden)).toEqual([]);
});

test("says that posting is not allowed only to those who see the channel", async () => {
  const { shed, testServer } = fixture;
  const id = await fixture.post("olga", fixture.garden);
  const notAuthorized = messageErrors.sendingNotAuthorized("shed");
  // An administrator sees every channel.
  await fixture.expectRefused(notAuthorized, "ada", id, { stream_id: shed });
  await fixture.expectRefused(channelErrors.channelNotFound(), "cy", id, { stream_id: shed });
  for (const to of [shed, "shed"]) {
    const params = { type: "channel", to, topic: "x", content: "x" };
    const { errCode: code, message: msg } = notAuthorized;
    expect(await testServer.refused("ada", "POST /messages", params)).toMatchObject({ code, msg });
    const refusal = await testServer.refused("cy", "POST /messages", params);
    expect(refusal.code).toBe("STREAM_DOES_NOT_EXIST");
  }
});
