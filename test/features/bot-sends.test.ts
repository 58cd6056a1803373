// Bots that send without a channel or recipient, and the notification of their owners.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import * as peopleErrors from "../../src/contract/errors/people.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let line: string;
beforeEach(async () => {
  testServer = await startTestServer();
  line = `PATCH /bots/${testServer.idOf("bot")}`;
});
afterEach(() => testServer.close());

const SEND = "POST /messages";
const MESSAGES = { type: "stream", topic: "x", content: "hello" };

async function expectRefused(
  refusal: errors.Refusal,
  requester: Name,
  requested: string,
  params: Params = {},
) {
  const { errCode: code, status, message: msg } = refusal;
  expect(await testServer.refused(requester, requested, params)).toMatchObject({
    status,
    code,
    msg,
  });
}

/** Messages of the notification bot to this user. */
async function listNotices(name: Name): Promise<string[]> {
  const params = { anchor: "newest", num_before: 50, num_after: 0, apply_markdown: false };
  const { messages } = await testServer.request(name, "GET /messages", params);
  const direct = messages.filter(
    (message: Json) => message.sender_full_name === "Notification Bot",
  );
  return direct.map((item: Json) => item.content);
}

test("sends a message of a bot without a channel to its default channel", async () => {
  await expectRefused(messageErrors.channelMissing(), "bot", SEND, MESSAGES);
  await testServer.request("bo", line, { default_sending_stream: "sandbox" });
  const { id } = await testServer.request("bot", SEND, MESSAGES);
  const { message } = await testServer.request("bo", `GET /messages/${id}`);
  expect(message).toMatchObject({ display_recipient: "sandbox", subject: "x" });
  await testServer.request("bot", SEND, { ...MESSAGES, to: [] });
  await testServer.request("bo", line, { default_sending_stream: "" });
  await expectRefused(messageErrors.channelMissing(), "bot", SEND, { ...MESSAGES, to: [] });
  await expectRefused(messageErrors.channelMissing(), "bo", SEND, MESSAGES);
});

test("warns the owner of a missing or empty channel of a bot, but not often", async () => {
  const refusal = messageErrors.channelOfNameNotFound("nowhere");
  const { events } = await staysInSync(testServer, ["bo", "cy", "ada"], () =>
    expectRefused(refusal, "bot", SEND, { ...MESSAGES, to: "nowhere" }),
  );
  expect(events.bo!.map(({ type }) => type)).toEqual(["message"]);
  expect([...events.cy!, ...events.ada!]).toEqual([]);
  const [received, ...more] = await listNotices("bo");
  expect(received).toContain("`nowhere`, which does not exist");
  expect(more).toEqual([]);

  await testServer.request("ada", "POST /channels/create", { name: "empty", subscribers: [] });
  const before = await listNotices("bo");
  await testServer.request("bot", SEND, { ...MESSAGES, to: "empty" });
  expect(await listNotices("bo")).toEqual(before);
  testServer.clock.passSeconds(301);
  await testServer.request("bot", SEND, { ...MESSAGES, to: "empty" });
  expect((await listNotices("bo")).at(-1)).toContain("#**empty**, which has no subscribers");
  testServer.clock.passSeconds(301);
  await testServer.request("bot", SEND, { ...MESSAGES, to: "general" });
  expect((await listNotices("bo")).length).toBe(before.length + 1);
  const people = await listNotices("cy");
  await expectRefused(refusal, "cy", SEND, { ...MESSAGES, to: "nowhere" });
  expect(await listNotices("cy")).toEqual(people);
});

test("names the channel by its name, however it was addressed", async () => {
  for (const to of ["elsewhere", '"elsewhere"', ["elsewhere"]]) {
    testServer.clock.passSeconds(301);
    await testServer.refused("bot", SEND, { ...MESSAGES, to });
    expect((await listNotices("bo")).at(-1)).toContain(
      "the channel `elsewhere`, which does not exist",
    );
  }
  testServer.clock.passSeconds(301);
  await testServer.refused("bot", SEND, { ...MESSAGES, to: [4_999] });
  expect((await listNotices("bo")).at(-1)).toContain("the channel `4999`, which does not exist");
});

test("does not call a visible channel that the bot cannot post in missing", async () => {
  const closedParams = { name: "closed", invite_only: true, subscribers: [testServer.idOf("ada")] };
  const { id } = await testServer.request("ada", "POST /channels/create", {
    ...closedParams,
    can_administer_channel_group: { direct_members: [testServer.idOf("bo")], direct_subgroups: [] },
  });
  const refusal = messageErrors.sendingNotAuthorized("closed");
  for (const to of ["closed", ["closed"], id]) {
    await expectRefused(refusal, "bo", SEND, { ...MESSAGES, to });
    testServer.clock.passSeconds(301);
    await expectRefused(refusal, "bot", SEND, { ...MESSAGES, to });
    const destination = to === id ? id : "closed";
    expect((await listNotices("bo")).at(-1)).toContain(
      `the channel \`${destination}\` without permission`,
    );
  }
  const notFound = messageErrors.channelOfNameNotFound("closed");
  await expectRefused(notFound, "cy", SEND, { ...MESSAGES, to: "closed" });

  const received = await listNotices("bo");
  testServer.clock.passSeconds(301);
  await testServer.refused("bot", SEND, { ...MESSAGES, to: "general", topic: undefined });
  await testServer.refused("bot", SEND, { type: "direct", to: [4_999], content: "x" });
  expect(await listNotices("bo")).toEqual(received);
});

test("accepts an empty configuration for a bot without settings", async () => {
  const params = { full_name: "Rob", short_name: "rob", config_data: { key: "value" } };
  await expectRefused(peopleErrors.botConfigInvalid(), "bo", "POST /bots", params);
  await expectRefused(peopleErrors.botConfigInvalid(), "bo", line, {
    config_data: { key: "value" },
  });
  await testServer.request("bo", "POST /bots", { ...params, config_data: {} });
  expect((await testServer.request("bo", line, { config_data: {} })).config_data).toEqual({});
  const { realm_embedded_bots } = await testServer.request("bo", "POST /register");
  expect(realm_embedded_bots).toEqual([]);
});
