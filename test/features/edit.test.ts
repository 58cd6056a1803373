// Editing messages: permission, and changed mentions.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let stream_id: number;
beforeEach(async () => {
  testServer = await startTestServer();
  const subscribers = (["bo", "cy", "gus"] as const).map((name) => testServer.idOf(name));
  stream_id = (
    await testServer.request("bo", "POST /channels/create", { name: "garden", subscribers })
  ).id;
});
afterEach(() => testServer.close());

let id: number;
beforeEach(async () => {
  id = await post("bo", "one");
});

async function post(name: Name, content: string, params: Params = {}): Promise<number> {
  const to = { type: "stream", to: stream_id, topic: "peas", ...params };
  return (await testServer.request(name, "POST /messages", { ...to, content })).id;
}

const edit = (name: Name, params: Params, message_id = id) =>
  testServer.request(name, `PATCH /messages/${message_id}`, params);
const getMessage = async (name: Name, message_id = id): Promise<Json> =>
  (await testServer.request(name, `GET /messages/${message_id}`)).message;

async function expectRefused(
  refusal: errors.Refusal,
  requester: Name,
  params: Params,
  message_id = id,
) {
  const { errCode: code, status, message: msg, extra } = refusal;
  const line = `PATCH /messages/${message_id}`;
  expect(await testServer.refused(requester, line, params)).toMatchObject({
    status,
    code,
    msg,
    ...extra,
  });
}

const setRealm = (settings: Params) =>
  testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...realm.settings, ...settings } });
  });
const sha256 = (content: string) => new Bun.CryptoHasher("sha256").update(content).digest("hex");

test("changes an own message, with both versions in the event to all subscribers", async () => {
  const { result, events } = await staysInSync(testServer, ["bo", "cy", "gus", "mo"], () =>
    edit("bo", { content: "two **bold**" }),
  );
  expect(result.detached_uploads).toEqual([]);
  expect(events.cy).toEqual([
    {
      type: "update_message",
      id: expect.any(Number),
      user_id: testServer.idOf("bo"),
      edit_timestamp: expect.any(Number),
      message_id: id,
      message_ids: [id],
      rendering_only: false,
      stream_name: "garden",
      stream_id,
      orig_content: "one",
      orig_rendered_content: "<p>one</p>",
      content: "two **bold**",
      rendered_content: "<p>two <strong>bold</strong></p>",
      is_me_message: false,
      flags: [],
    },
  ]);
  expect(events.gus).toHaveLength(1);
  expect(events.mo).toEqual([]);
  const message = await getMessage("mo");
  expect(message).toMatchObject({
    content: "<p>two <strong>bold</strong></p>",
    last_edit_timestamp: events.cy![0]!["edit_timestamp"],
    edit_history: [
      {
        user_id: testServer.idOf("bo"),
        timestamp: events.cy![0]!["edit_timestamp"],
        prev_content: "one",
        prev_rendered_content: "<p>one</p>",
      },
    ],
  });
  expect(message).not.toHaveProperty("last_moved_timestamp");
});

test("removes mentions of previously mentioned users and adds new ones", async () => {
  await edit("bo", { content: "@**Cy Member** and @**all**" });
  expect((await getMessage("cy")).flags).toEqual([
    "mentioned",
    "stream_wildcard_mentioned",
    "wildcard_mentioned",
  ]);
  const { events } = await staysInSync(testServer, ["cy", "gus"], () =>
    edit("bo", { content: "@**Gus Guest**" }),
  );
  expect((events.cy![0] as Json).flags).toEqual([]);
  expect((events.gus![0] as Json).flags).toEqual(["mentioned"]);
  expect((await getMessage("cy")).flags).toEqual([]);
  const { messages } = await testServer.request("cy", "GET /messages", {
    anchor: "newest",
    num_before: 10,
    narrow: [{ operator: "is", operand: "mentioned" }],
  });
  expect(messages.map((message: Json) => message.id)).not.toContain(id);
});

test("keeps the message for a bot that received it through a removed mention", async () => {
  id = await post("bo", "@**Botty** look");
  expect((await getMessage("bot")).flags).toEqual(["mentioned"]);
  await edit("bo", { content: "never mind" });
  const own = await testServer.request("bot", "GET /messages", {
    anchor: id,
    num_before: 0,
    num_after: 0,
  });
  expect(own.messages.map((message: Json) => message.id)).toEqual([id]);
});

test("removes a topic mention from everyone", async () => {
  await post("cy", "I am here");
  id = await post("bo", "@**topic**");
  expect((await getMessage("cy")).flags).toContain("topic_wildcard_mentioned");
  await staysInSync(testServer, ["cy"], () => edit("bo", { content: "hush" }));
  expect((await getMessage("cy")).flags).toEqual([]);
});

test("updates which users' alert words the message contains", async () => {
  await testServer.request("cy", "POST /users/me/alert_words", { alert_words: ["slugs"] });
  const { events } = await staysInSync(testServer, ["cy"], () => edit("bo", { content: "slugs!" }));
  expect((events.cy![0] as Json).flags).toEqual(["has_alert_word"]);
  await edit("bo", { content: "snails!" });
  expect((await getMessage("cy")).flags).toEqual([]);
  await testServer.request("cy", "DELETE /users/me/alert_words", { alert_words: ["slugs"] });
});

test("changes a direct message only for its users", async () => {
  id = await post("bo", "psst", { type: "direct", to: [testServer.idOf("cy")] });
  const { events } = await staysInSync(testServer, ["bo", "cy", "gus"], () =>
    edit("bo", { content: "  " }),
  );
  expect(events.cy![0]).toMatchObject({ content: "(deleted)" });
  expect(events.cy![0]).not.toHaveProperty("stream_id");
  expect(events.gus).toEqual([]);
});

test("keeps read flags after an edit", async () => {
  await testServer.request("cy", "POST /messages/flags", {
    messages: [id],
    op: "add",
    flag: "read",
  });
  await staysInSync(testServer, ["cy"], () => edit("bo", { content: "@**Cy Member**" }));
  expect((await getMessage("cy")).flags).toEqual(["read", "mentioned"]);
});

describe("rejects an edit", () => {
  test("of a message that is missing, inaccessible or archived", async () => {
    await expectRefused(messageErrors.messageNotFound(), "bo", { content: "x" }, 999_999);
    const subscribers = [testServer.idOf("bo")];
    const closedChannel = await testServer.request("bo", "POST /channels/create", {
      name: "shed",
      subscribers,
      invite_only: true,
    });
    const hiddenId = await post("bo", "hidden", { to: closedChannel.id });
    await expectRefused(messageErrors.messageNotFound(), "cy", { content: "x" }, hiddenId);
    await testServer.request("olga", `DELETE /streams/${closedChannel.id}`);
    await expectRefused(messageErrors.messageNotFound(), "bo", { content: "x" }, hiddenId);
  });

  test("of other users' messages, whatever the role, and after the time limit", async () => {
    await expectRefused(messageErrors.editNotAllowed(), "olga", { content: "x" });
    testServer.clock.passSeconds(625);
    await expectRefused(messageErrors.editTooLate(), "bo", { content: "x" });
    await setRealm({ message_content_edit_limit_seconds: null });
    await edit("bo", { content: "x" });
    await setRealm({ message_content_edit_limit_seconds: 600, allow_message_editing: false });
    await expectRefused(messageErrors.editingDisabled(), "bo", { content: "y" });
    await setRealm({ allow_message_editing: true });
  });

  test("more than twenty seconds after the time limit, but not earlier", async () => {
    testServer.clock.stop();
    const message = await post("bo", "now");
    testServer.clock.passSeconds(620);
    await edit("bo", { content: "at the last moment" }, message);
    testServer.clock.passSeconds(1);
    await expectRefused(messageErrors.editTooLate(), "bo", { content: "late" }, message);
    expect((await getMessage("cy", message)).content).toBe("<p>at the last moment</p>");
    await setRealm({ move_messages_within_stream_limit_seconds: 601 });
    await edit("bo", { topic: "beans" }, message);
    testServer.clock.passSeconds(1);
    await expectRefused(messageErrors.topicEditTooLate(), "bo", { topic: "peas" }, message);
    expect((await getMessage("cy", message)).subject).toBe("beans");
  });

  test("that changes nothing, or is based on another version", async () => {
    await expectRefused(messageErrors.nothingToChange(), "bo", {});
    await expectRefused(messageErrors.nothingToChange(), "bo", { topic: "peas", stream_id });
    const moveParams = { content: "x", propagate_mode: "change_all" };
    await expectRefused(messageErrors.propagationWithoutMove(), "bo", moveParams);
    const wrong = { content: "x", prev_content_sha256: sha256("two") };
    await expectRefused(channelErrors.expectationMismatch("prev_content_sha256"), "bo", wrong);
    await edit("bo", { content: "x", prev_content_sha256: sha256("one") });
    await expectRefused(messageErrors.contentWithChannel(), "bo", { content: "y", stream_id: 999 });
  });

  test("of widgets, and of direct messages that would be moved", async () => {
    const poll = await post("bo", "/poll Peas?\nyes");
    await expectRefused(messageErrors.widgetsNotEditable(), "bo", { content: "x" }, poll);
    const direct = await post("bo", "psst", { type: "direct", to: [testServer.idOf("cy")] });
    await expectRefused(messageErrors.directsNotMovable(), "bo", { stream_id }, direct);
    await expectRefused(messageErrors.directsWithoutTopics(), "bo", { topic: "peas" }, direct);
  });

  test("with mentions that the author may not use", async () => {
    await setRealm({ can_mention_many_users_group: { direct_members: [], direct_subgroups: [] } });
    await testServer.realm.write((tx) => {
      for (let extra = 0; extra < 16; extra++) {
        const user = { ...tx.users.get(testServer.idOf("cy"))!, user_id: tx.next("users") };
        tx.users.put({ ...user, delivery_email: `extra${extra}@example.com` });
        const sub = tx.subscriptions.get(testServer.idOf("cy"), stream_id)!;
        tx.subscriptions.put({ ...sub, user_id: user.user_id });
      }
    });
    await expectRefused(messageErrors.streamWildcardNotAllowed(), "bo", { content: "@**all**" });
  });
});
