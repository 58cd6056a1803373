// Reactions: adding and removing them, allowed emoji, and the effects of reacting.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import { REACTIONS_MAX } from "../../src/features/reactions/rules.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let stream_id: number;
beforeEach(async () => {
  testServer = await startTestServer();
  const subscribers = [testServer.idOf("bo"), testServer.idOf("cy")];
  stream_id = (
    await testServer.request("bo", "POST /channels/create", { name: "garden", subscribers })
  ).id;
});
afterEach(() => testServer.close());

async function post(params: Params = {}, name: Name = "bo"): Promise<number> {
  const message = { type: "channel", to: stream_id, topic: "peas", content: "They grow." };
  return (await testServer.request(name, "POST /messages", { ...message, ...params })).id;
}

const react = (name: Name, id: number, params: Params) =>
  testServer.request(name, `POST /messages/${id}/reactions`, params);
const unreact = (name: Name, id: number, params: Params) =>
  testServer.request(name, `DELETE /messages/${id}/reactions`, params);

async function expectRefused(
  refusal: errors.Refusal,
  name: Name,
  method: "POST" | "DELETE",
  id: number,
  params: Params = { emoji_name: "tada" },
) {
  const { errCode: code, status, message: msg } = refusal;
  const refusedResponse = await testServer.refused(
    name,
    `${method} /messages/${id}/reactions`,
    params,
  );
  expect(refusedResponse).toMatchObject({ status, code, msg });
}

const reactionsOn = async (id: number): Promise<Json[]> =>
  (await testServer.request("bo", `GET /messages/${id}`)).message.reactions;

const TADA = { emoji_name: "tada", emoji_code: "1f389", reaction_type: "unicode_emoji" };
const EXTRA = { emoji_name: "zulip", emoji_code: "zulip", reaction_type: "zulip_extra_emoji" };

describe("a reaction", () => {
  test("sends a reaction to the channel, stores it in order, and removes it", async () => {
    const message_id = await post();
    const addition = await staysInSync(testServer, ["bo", "cy", "mo"], () =>
      react("cy", message_id, { emoji_name: "tada" }),
    );
    const user_id = testServer.idOf("cy");
    const user = { user_id, email: "cy@example.com", full_name: "Cy Member" };
    const event = { type: "reaction", op: "add", user_id, message_id, ...TADA, user };
    expect(addition.events.bo).toEqual([{ id: expect.any(Number), ...event }]);
    expect(addition.events.cy).toHaveLength(1);
    expect(addition.events.mo).toEqual([]);

    await react("bo", message_id, { ...EXTRA, reaction_type: undefined });
    await react("bo", message_id, { emoji_name: "tada" });
    const extra = { user_id: testServer.idOf("bo"), ...EXTRA };
    const vote = { user_id: testServer.idOf("bo"), ...TADA };
    expect(await reactionsOn(message_id)).toEqual([{ user_id, ...TADA }, extra, vote]);

    const removal = await staysInSync(testServer, ["bo"], () =>
      unreact("cy", message_id, { emoji_code: "1f389" }),
    );
    expect(removal.events.bo![0]).toMatchObject({ ...event, op: "remove" });
    await unreact("bo", message_id, { emoji_name: "zulip" });
    await unreact("bo", message_id, { emoji_name: "tada", reaction_type: "unicode_emoji" });
    expect(await reactionsOn(message_id)).toEqual([]);
  });

  test("adds and removes a reaction once", async () => {
    const id = await post();
    await react("bo", id, TADA);
    await expectRefused(messageErrors.reactionExists(), "bo", "POST", id);
    await expectRefused(messageErrors.reactionExists(), "bo", "POST", id, {
      ...TADA,
      emoji_name: "no_such",
    });
    await unreact("bo", id, TADA);
    await expectRefused(messageErrors.reactionNotFound(), "bo", "DELETE", id);
    await expectRefused(messageErrors.reactionNotFound(), "cy", "DELETE", id, {
      emoji_code: "1f389",
    });
    await expectRefused(messageErrors.reactionUnnamed(), "bo", "DELETE", id, {});
    await expectRefused(messageErrors.emojiNotFound("no_such"), "bo", "DELETE", id, {
      emoji_name: "no_such",
    });
    await expectRefused(errors.missingParameter("emoji_name"), "bo", "POST", id, {});
  });

  test("requires an existing emoji", async () => {
    const id = await post();
    const cases: [Params, errors.Refusal][] = [
      [{ emoji_name: "no_such" }, messageErrors.emojiNotFound("no_such")],
      [{ emoji_name: "no_such", emoji_code: "1f389" }, messageErrors.emojiNotFound("no_such")],
      [{ ...TADA, emoji_code: "1" }, messageErrors.emojiCodeInvalid()],
      [{ ...TADA, emoji_name: "car" }, messageErrors.emojiNameInvalid()],
      [{ ...EXTRA, emoji_code: "1f389" }, messageErrors.emojiCodeInvalid()],
      [{ ...EXTRA, emoji_name: "tada" }, messageErrors.emojiNameInvalid()],
      [{ ...TADA, reaction_type: "realm_emoji" }, messageErrors.customEmojiInvalid()],
      [{ ...TADA, reaction_type: "sticker" }, messageErrors.emojiTypeInvalid()],
    ];
    for (const [params, refusal] of cases) await expectRefused(refusal, "bo", "POST", id, params);
    expect(await reactionsOn(id)).toEqual([]);
  });

  test("accepts every name that clients know", async () => {
    const id = await post();
    const cases = [
      ["mosque", "1f54c"],
      ["piñata", "1fa85"],
      ["festive", "1fa85"],
      ["smiling_face_with_hearts", "1f970"],
      ["clock12", "1f55b"],
    ] as const;
    for (const [emoji_name, emoji_code] of cases) {
      await react("bo", id, { emoji_name });
      await react("cy", id, { ...TADA, emoji_name, emoji_code });
      await unreact("bo", id, { emoji_name });
      await unreact("cy", id, { emoji_code });
    }
    expect(await reactionsOn(id)).toEqual([]);
  });

  test("gets the existing name when another user adds it", async () => {
    const id = await post();
    await react("bo", id, { emoji_name: "+1" });
    await react("cy", id, { ...TADA, emoji_name: "whatever", emoji_code: "1f44d" });
    expect((await reactionsOn(id)).map(({ emoji_name }) => emoji_name)).toEqual(["+1", "+1"]);
  });

  test("rejects a reaction beyond the limit of a message", async () => {
    const id = await post();
    await testServer.realm.write((tx) => {
      const reaction = { ...TADA, user_id: testServer.idOf("mo") };
      const reactions = Array.from({ length: REACTIONS_MAX }, () => reaction);
      tx.messages.put({ ...tx.messages.get(id)!, reactions });
    });
    await expectRefused(messageErrors.reactionsTooMany(REACTIONS_MAX), "bo", "POST", id);
  });
});

describe("the built-in Zulip emoji", () => {
  test("accepts the extra emoji in both spellings, and sends that of the client", async () => {
    const id = await post();
    const other = { ...EXTRA, reaction_type: "service_extra_emoji" };
    const fetch_event_types = ["service_version"];
    const plainListener = await testServer.listen("bo", { event_types: ["reaction"] });
    const service = await testServer.listen("bo", { event_types: ["reaction"], fetch_event_types });
    await react("bo", id, other);
    await expectRefused(messageErrors.reactionExists(), "bo", "POST", id, EXTRA);
    expect(await plainListener.next()).toMatchObject(EXTRA);
    expect(await service.next()).toMatchObject(other);
    expect(await reactionsOn(id)).toMatchObject([EXTRA]);
    await unreact("bo", id, other);
    expect(await plainListener.next()).toMatchObject({ ...EXTRA, op: "remove" });
  });
});

describe("reacting", () => {
  test("requires access to the message and an active channel", async () => {
    const secret = await post({ type: "direct", to: [testServer.idOf("cy")] });
    await react("cy", secret, { emoji_name: "tada" });
    await expectRefused(messageErrors.messageNotFound(), "olga", "POST", secret);
    await expectRefused(messageErrors.messageNotFound(), "gus", "POST", await post());
    await expectRefused(messageErrors.messageNotFound(), "bo", "POST", 999_999);

    const created = await testServer.request("bo", "POST /channels/create", {
      name: "attic",
      subscribers: [testServer.idOf("bo")],
    });
    const oldId = await post({ to: created.id });
    await react("bo", oldId, { emoji_name: "tada" });
    await testServer.request("olga", `DELETE /streams/${created.id}`);
    await expectRefused(messageErrors.messageNotFound(), "bo", "POST", oldId, {
      emoji_name: "car",
    });
    await expectRefused(messageErrors.messageNotFound(), "bo", "DELETE", oldId);
  });

  test("adds the message to the user's own, with later events", async () => {
    const id = await post();
    const listener = await testServer.listen("mo", { event_types: ["reaction"] });
    const fetchMessage = async () => {
      const narrow = [{ operator: "id", operand: id }];
      const window = { anchor: "newest", num_before: 1, num_after: 0, narrow };
      return (await testServer.request("mo", "GET /messages", window)).messages;
    };
    expect(await fetchMessage()).toEqual([]);
    await react("cy", id, { emoji_name: "car" });
    await react("mo", id, { emoji_name: "tada" });
    await react("bo", id, { emoji_name: "tada" });
    expect(await fetchMessage()).toMatchObject([{ id, flags: ["read", "historical"] }]);
    const events = (await listener.takeAll()).map((event: Json) => event.user_id);
    expect(events).toEqual([testServer.idOf("mo"), testServer.idOf("bo")]);
  });

  test("counts as participation: a topic mention includes users who reacted", async () => {
    const id = await post({ topic: "beans" });
    const call = () => post({ topic: "beans", content: "@**topic**" });
    const flagsOf = async (message_id: number) =>
      (await testServer.request("cy", `GET /messages/${message_id}`)).message.flags;
    expect(await flagsOf(await call())).toEqual([]);
    await react("cy", id, { emoji_name: "tada" });
    expect(await flagsOf(await call())).toContain("topic_wildcard_mentioned");
  });

  test("counts as participation: a subscriber with that setting follows the topic", async () => {
    const policy = { automatically_follow_topics_policy: 1 };
    for (const name of ["cy", "mo"] as const)
      await testServer.request(name, "PATCH /settings", policy);
    const id = await post({ topic: "leeks" });
    const { events } = await staysInSync(testServer, ["cy", "mo"], async () => {
      await react("cy", id, { emoji_name: "tada" });
      await react("mo", id, { emoji_name: "tada" });
    });
    const types = events.cy!.map((event) => event["type"]);
    expect(types).toEqual(["muted_topics", "user_topic", "reaction", "reaction"]);
    expect(events.cy![1]).toMatchObject({ stream_id, topic_name: "leeks", visibility_policy: 3 });
    expect(events.mo!.map((event) => event["type"])).toEqual(["reaction"]);
  });
});

test("a narrow finds messages with reactions while they have any", async () => {
  const id = await post();
  const narrow = [
    { operator: "channel", operand: stream_id },
    { operator: "has", operand: "reaction" },
  ];
  const isFound = async () => {
    const window = { anchor: String(id), num_before: 0, num_after: 0, narrow };
    return (await testServer.request("bo", "GET /messages", window)).messages.length === 1;
  };
  expect(await isFound()).toBe(false);
  await react("bo", id, { emoji_name: "tada" });
  await react("cy", id, { emoji_name: "tada" });
  expect(await isFound()).toBe(true);
  await unreact("bo", id, { emoji_name: "tada" });
  expect(await isFound()).toBe(true);
  await unreact("cy", id, { emoji_name: "tada" });
  expect(await isFound()).toBe(false);
});

test("hides users from guests who cannot see them", async () => {
  const members = testServer.realm.read.groups.findBy("name", "role:members")!.id;
  const limited = { can_access_all_users_group: { new: members } };
  await testServer.request("olga", "PATCH /realm", limited);
  const principals = [testServer.idOf("gus")];
  const subscriptions = [{ name: "garden" }];
  await testServer.request("bo", "POST /users/me/subscriptions", { subscriptions, principals });
  const id = await post();
  const guest = await testServer.listen("gus", { event_types: ["reaction"] });
  const member = await testServer.listen("cy", { event_types: ["reaction"] });
  await react("bo", id, { emoji_name: "tada" });
  await react("mo", id, { emoji_name: "tada" });
  const users = (events: Json[]) => events.map(({ user }) => user);
  const [bo, mo] = users(await member.takeAll());
  expect(mo).toEqual({
    user_id: testServer.idOf("mo"),
    email: "mo@example.com",
    full_name: mo.full_name,
  });
  expect(mo.full_name).not.toBe("Unknown user");
  const email = `user${testServer.idOf("mo")}@${new URL(testServer.url).hostname}`;
  const hidden = { user_id: testServer.idOf("mo"), email, full_name: "Unknown user" };
  expect(users(await guest.takeAll())).toEqual([bo, hidden]);
});

test("sends a reaction once after a restart, with its message or separately", async () => {
  const listener = await testServer.listen("cy", {
    event_types: ["message", "reaction", "submessage"],
  });
  const id = await post({ content: "/poll Lunch?" });
  await react("bo", id, { emoji_name: "tada" });
  await testServer.request("bo", "POST /submessage", {
    message_id: id,
    msg_type: "widget",
    content: JSON.stringify({ type: "question", question: "Dinner?" }),
  });
  await testServer.restart();
  const [message, ...rest] = await listener.takeAll();
  expect(message.message).toMatchObject({ id, reactions: [] });
  expect(message.message.submessages).toHaveLength(1);
  expect(rest.map((event: Json) => event.type)).toEqual(["reaction", "submessage"]);
});
