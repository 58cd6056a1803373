// Errors of sending messages, with their texts.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Channel, RealmSettings } from "../../src/schema/records.ts";
import type { Name } from "../users.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let stream_id: number;
// Each test restores what it changes, so all tests share one server.
beforeAll(async () => {
  testServer = await startTestServer();
  stream_id = testServer.realm.read.channels.findBy("name", "general")!.stream_id;
});
afterAll(() => testServer?.close());

const refusedSend = (params: Params, name: Name = "bo") =>
  testServer.refused(name, "POST /messages", {
    type: "stream",
    to: "general",
    topic: "t",
    content: "x",
    ...params,
  });
const send = (params: Params, name: Name = "bo") =>
  testServer.request(name, "POST /messages", {
    type: "stream",
    to: "general",
    topic: "t",
    content: "x",
    ...params,
  });
const role = (name: string) => testServer.realm.read.groups.findBy("name", `role:${name}`)!.id;

const lists = `${"[".repeat(60_000)}${"]".repeat(60_000)}`;
const extra_data = `{"type":"choices","heading":"x","choices":[],"more":${lists}}`;
const nestedWidget = `{"widget_type":"zform","extra_data":${extra_data}}`;

/** Changes the channel while `act` runs. */
async function withChannel(
  change: Partial<Channel>,
  action: () => Promise<unknown>,
): Promise<void> {
  const before = testServer.realm.read.channels.get(stream_id)!;
  await testServer.realm.write((tx) => tx.channels.put({ ...before, ...change }));
  try {
    await action();
  } finally {
    await testServer.realm.write((tx) => tx.channels.put(before));
  }
}

async function withRealm(
  change: Partial<RealmSettings>,
  action: () => Promise<unknown>,
): Promise<void> {
  const before = testServer.realm.read.realm.get(1)!;
  const settings = { ...before.settings, ...change };
  await testServer.realm.write((tx) => tx.realm.put({ ...before, settings }));
  try {
    await action();
  } finally {
    await testServer.realm.write((tx) => tx.realm.put(before));
  }
}

async function whileUnsubscribed(name: Name, action: () => Promise<unknown>): Promise<void> {
  const before = testServer.realm.read.subscriptions.get(testServer.idOf(name), stream_id);
  if (before)
    await testServer.realm.write((tx) => tx.subscriptions.put({ ...before, active: false }));
  try {
    await action();
  } finally {
    if (before) await testServer.realm.write((tx) => tx.subscriptions.put(before));
  }
}

describe("invalid requests", () => {
  const words: [string, Params, string][] = [
    ["type", { type: "group" }, "Invalid type"],
    ["topicMissing", { topic: undefined }, "Missing topic"],
    ["topicUnprintable", { topic: "tea\u0007" }, "Invalid character in topic, at position 4!"],
    [
      "topicUnprintable beyond the limit",
      { topic: `${"é".repeat(70)}\ufdd0` },
      "Invalid character in topic, at position 71!",
    ],
    ["messageEmpty", { content: " \n\n " }, "Message must not be empty"],
    ["messageWithNull", { content: "a\0b" }, "Message must not contain null bytes"],
    ["channelMissing", { to: undefined }, "Missing channel"],
    ["channelMissing, empty list", { to: [] }, "Missing channel"],
    ["channelNotSingle", { to: ["general", "sandbox"] }, "Expected exactly one channel"],
    ["channelTypeInvalid", { to: { id: 1 } }, "Invalid data type for channel"],
    ["channelTypeInvalid, number", { to: 1.5 }, "Invalid data type for channel"],
    ["channelNameEmpty", { to: " " }, "Channel name can't be empty."],
    ["recipientsMissing", { type: "direct", to: [] }, "Message must have recipients"],
    [
      "recipientsMissing, absent",
      { type: "direct", to: undefined },
      "Message must have recipients",
    ],
    ["recipientsMissing, blank", { type: "direct", to: " , " }, "Message must have recipients"],
    ["recipientsTypeInvalid", { type: "private", to: 7 }, "Invalid data type for recipients"],
    [
      "recipientsTypeInvalid, inside",
      { type: "direct", to: [[1]] },
      "Invalid data type for recipients",
    ],
    [
      "recipientsMixed",
      { type: "direct", to: [1, "a@b"] },
      "Recipient lists may contain emails or user IDs, but not both.",
    ],
    [
      "recipientEmailInvalid",
      { type: "direct", to: ["who@example.com"] },
      "Invalid email 'who@example.com'",
    ],
    ["recipientIdInvalid", { type: "direct", to: [99999] }, "Invalid user ID 99999"],
    ["widgetNotJson", { widget_content: "{" }, "Widgets: API programmer sent invalid JSON content"],
    ["widgetInvalid", { widget_content: [] }, "Widgets: widget_content is not a dict"],
    [
      "a deeply nested widget",
      { widget_content: nestedWidget },
      "widget_content is too long (limit: 10000 characters)",
    ],
  ];
  for (const [name, params, msg] of words) {
    test(name, async () => {
      expect(await refusedSend(params)).toMatchObject({ status: 400, code: "BAD_REQUEST", msg });
    });
  }

  test("content is required, and only one spelling of the topic", async () => {
    expect(await refusedSend({ content: undefined })).toMatchObject({
      code: "REQUEST_VARIABLE_MISSING",
      var_name: "content",
    });
    expect((await refusedSend({ subject: "s" })).code).toBe("REQUEST_CONFUSING_VAR");
  });

  test("channelOfNameNotFound and channelOfIdNotFound name the requested channel", async () => {
    expect(await refusedSend({ to: "<nowhere>" })).toMatchObject({
      status: 400,
      code: "STREAM_DOES_NOT_EXIST",
      stream: "&lt;nowhere&gt;",
      msg: "Channel '&lt;nowhere&gt;' does not exist",
    });
    expect(await refusedSend({ to: 999 })).toMatchObject({
      code: "STREAM_DOES_NOT_EXIST",
      stream_id: 999,
      msg: "Channel with ID '999' does not exist",
    });
  });

  test("messageUnrenderable: rejects content that would render into too much HTML", async () => {
    const content = "🏇".repeat(10_000);
    const msg = "Unable to render message";
    expect(await refusedSend({ content })).toMatchObject({ status: 400, code: "BAD_REQUEST", msg });
    expect(await testServer.refused("bo", "POST /messages/render", { content })).toMatchObject({
      msg,
    });
    expect((await refusedSend({ to: "nowhere", content })).code).toBe("STREAM_DOES_NOT_EXIST");
  });
});

test("unsent content is rendered too", async () => {
  const { rendered } = await testServer.request("bo", "POST /messages/render", { content: "*x*" });
  expect(rendered).toBe("<p><em>x</em></p>");
  expect((await testServer.request("bo", "POST /messages/render", { content: "" })).rendered).toBe(
    "",
  );
});

describe("a channel", () => {
  test("postingNotAllowed: users outside of the group, and their bots", async () => {
    await withChannel({ can_send_message_group: role("administrators") }, async () => {
      const msg = "You do not have permission to post in this channel.";
      expect((await refusedSend({})).msg).toBe(msg);
      expect((await refusedSend({}, "bot")).msg).toBe(msg);
      await send({}, "ada");
    });
    const own = { direct_members: [testServer.idOf("bo")], direct_subgroups: [] };
    await withChannel({ can_send_message_group: own }, () => send({}, "bot"));
  });

  test("sendingNotAuthorized: an archived or inaccessible channel", async () => {
    const msg = "Not authorized to send to channel 'general'";
    const unknown = "Channel 'general' does not exist";
    await withChannel({ is_archived: true }, async () => {
      expect((await refusedSend({}, "olga")).msg).toBe(msg);
    });
    expect((await refusedSend({}, "gus")).msg).toBe(unknown);
    await withChannel({ is_web_public: true }, () => send({}, "gus"));
    await whileUnsubscribed("bo", async () => {
      await send({});
      await withChannel({ invite_only: true }, async () => {
        expect((await refusedSend({})).msg).toBe(unknown);
        expect((await refusedSend({}, "bot")).msg).toBe(unknown);
      });
      const open = { invite_only: true, can_subscribe_group: role("members") };
      await withChannel(open, () => send({}));
      await withChannel({ ...open, history_public_to_subscribers: false }, async () => {
        expect((await refusedSend({})).msg).toBe(msg);
      });
    });
    await withChannel({ invite_only: true }, () => send({}, "bot"));
  });

  test("topicCreationNotAllowed: existing topics are still allowed", async () => {
    await send({ topic: "old" });
    await withChannel({ can_create_topic_group: role("moderators") }, async () => {
      await send({ topic: "OLD" });
      expect((await refusedSend({ topic: "new" })).msg).toBe(
        "You do not have permission to create new topics in this channel.",
      );
      await send({ topic: "new" }, "mo");
    });
  });

  test("emptyTopicNotAllowed and namedTopicNotAllowed: the topic policy", async () => {
    const empty_topic_display_name = "general chat";
    const code = "BAD_REQUEST";
    await withRealm({ topics_policy: "disable_empty_topic" }, async () => {
      expect(await refusedSend({ topic: "" })).toMatchObject({ code, empty_topic_display_name });
      await send({ topic: "named" });
      await withChannel({ topics_policy: "allow_empty_topic" }, () => send({ topic: "" }));
    });
    await withChannel({ topics_policy: "empty_topic_only" }, async () => {
      expect(await refusedSend({ topic: "named" })).toMatchObject({
        code,
        empty_topic_display_name,
      });
      await send({ topic: "general chat" });
    });
  });
});

describe("users", () => {
  const direct = (userName: Name, ...to: Name[]) =>
    refusedSend({ type: "direct", to: to.map((name) => testServer.idOf(name)) }, userName);
  const write = (userName: Name, ...to: Name[]) =>
    send({ type: "direct", to: to.map((name) => testServer.idOf(name)) }, userName);

  test("recipientDeactivated: deactivated users", async () => {
    const cy = testServer.realm.read.users.get(testServer.idOf("cy"))!;
    await testServer.realm.write((tx) => tx.users.put({ ...cy, is_active: false }));
    try {
      const { msg } = await direct("bo", "mo", "cy");
      expect(msg).toBe("'cy@example.com' is no longer using Skein.");
    } finally {
      await testServer.realm.write((tx) => tx.users.put(cy));
    }
  });

  test("recipientsHidden: users whom a limited guest cannot see", async () => {
    await withRealm({ can_access_all_users_group: role("members") }, async () => {
      expect((await direct("gus", "cy")).msg).toBe(
        "You do not have permission to access some of the recipients.",
      );
      await write("gus", "bot");
    });
  });

  test("directMessagesDisabled, and directMessageUnauthorized", async () => {
    await withRealm({ direct_message_permission_group: role("nobody") }, async () => {
      expect((await direct("bo", "cy")).msg).toBe(
        "Direct messages are disabled in this organization.",
      );
      await write("bo", "bo");
      await write("bo", "bot");
      await write("bot", "cy");
    });
    await withRealm({ direct_message_permission_group: role("administrators") }, async () => {
      expect((await direct("bo", "cy")).msg).toBe(
        "This conversation does not include any users who can authorize it.",
      );
      await write("bo", "ada");
    });
  });

  test("directMessageStartNotAllowed: existing conversations are still allowed", async () => {
    await write("olga", "mo");
    await withRealm({ direct_message_initiator_group: role("administrators") }, async () => {
      expect((await direct("mo", "cy")).msg).toBe(
        "You do not have permission to initiate direct message conversations.",
      );
      await write("mo", "olga");
      await write("ada", "cy");
    });
  });
});

test("a rejected message leaves nothing behind", async () => {
  const listener = await testServer.listen("cy");
  const last = testServer.realm.read.last("messages");
  await refusedSend({ topic: "never", content: "@*role:owners*" });
  expect(await listener.takeAll()).toEqual([]);
  expect(testServer.realm.read.topics.findBy("name", stream_id, "never")).toBeUndefined();
  const { id } = await send({});
  expect(id).toBeGreaterThan(last);
});
