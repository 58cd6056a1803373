// Mentions in messages: whom they notify, who may use them, and their effects.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createUser } from "../../src/features/accounts/actions.ts";
import type { Name } from "../users.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let many: number;
beforeEach(async () => {
  testServer = await startTestServer();
  many = testServer.realm.read.channels.findBy("name", "general")!.stream_id;
});
afterEach(() => testServer.close());

const post = (params: Params, name: Name = "bo") =>
  testServer.request(name, "POST /messages", {
    type: "channel",
    to: "general",
    topic: "tea",
    ...params,
  });

const flagsFor = async (name: Name, id: number): Promise<string[]> =>
  (await testServer.request(name, `GET /messages/${id}`)).message.flags;

/** Returns a user's flags of the message, from the event and from a fetch. */
async function receivedAndStored(
  name: Name,
  send: () => Promise<{ id: number }>,
): Promise<string[]> {
  const listener = await testServer.listen(name, { event_types: ["message"] });
  const { id } = await send();
  const [event] = await listener.takeAll();
  const stored = await flagsFor(name, id);
  expect(stored).toEqual(event.flags);
  return stored;
}

async function createGroup(
  name: string,
  members: Name[],
  can_mention_group?: number,
): Promise<void> {
  await testServer.realm.write((tx) => {
    const template = tx.groups.findBy("name", "role:members")!;
    const id = tx.next("groups");
    const can = can_mention_group ?? tx.groups.findBy("name", "role:everyone")!.id;
    const own = { id, name, is_system_group: false, direct_subgroup_ids: [] };
    tx.groups.put({ ...template, ...own, can_mention_group: can });
    for (const member of members)
      tx.group_members.put({ group_id: id, user_id: testServer.idOf(member) });
  });
}

describe("a mention marks", () => {
  test("a user, unless it is silent", async () => {
    expect(await receivedAndStored("cy", () => post({ content: "@**Cy Member**" }))).toEqual([
      "mentioned",
    ]);
    expect(await receivedAndStored("cy", () => post({ content: "@_**Cy Member**" }))).toEqual([]);
    expect(await receivedAndStored("mo", () => post({ content: "@**Cy Member**" }))).toEqual([]);
    const postOwnMention = () => post({ content: "@**Bo Member**", read_by_sender: true });
    expect(await receivedAndStored("bo", postOwnMention)).toEqual(["read", "mentioned"]);
  });

  test("nobody who does not receive the message", async () => {
    const to = [testServer.idOf("mo")];
    const send = () =>
      testServer.request("bo", "POST /messages", { type: "direct", to, content: "@**Cy Member**" });
    const { id } = await send();
    expect(testServer.realm.read.flags.has([testServer.idOf("cy"), 4], id)).toBe(false);
    expect(await receivedAndStored("mo", send)).toEqual([]);
  });

  test("everyone, with a wildcard", async () => {
    const marks = ["stream_wildcard_mentioned", "wildcard_mentioned"];
    expect(await receivedAndStored("mo", () => post({ content: "@**all**" }))).toEqual(marks);
    expect(await receivedAndStored("bo", () => post({ content: "@**channel**" }))).toEqual(marks);
    const direct = {
      type: "direct",
      to: [testServer.idOf("cy")],
      content: "@**everyone** @**topic**",
    };
    expect(
      await receivedAndStored("cy", () => testServer.request("bo", "POST /messages", direct)),
    ).toEqual(marks);
  });

  test("participants of the topic, with a topic wildcard", async () => {
    await post({ topic: "part", content: "x" }, "cy");
    const send = () => post({ topic: "Part", content: "@**topic**" });
    const marks = ["topic_wildcard_mentioned", "wildcard_mentioned"];
    expect(await receivedAndStored("cy", send)).toEqual(marks);
    expect(await receivedAndStored("bo", send)).toEqual(marks);
    expect(await receivedAndStored("mo", send)).toEqual([]);
  });

  test("the members of a group at the time of reading", async () => {
    await createGroup("brewers", ["cy"]);
    expect(await receivedAndStored("cy", () => post({ content: "@*brewers*" }))).toEqual([
      "mentioned",
    ]);
    expect(await receivedAndStored("mo", () => post({ content: "@*brewers*" }))).toEqual([]);
    expect(await receivedAndStored("cy", () => post({ content: "@_*brewers*" }))).toEqual([]);
  });

  test("a bot without a subscription too, and no other user", async () => {
    const name = { stream_id: many, user_id: testServer.idOf("bot") };
    expect(testServer.realm.read.subscriptions.get(name.user_id, many)?.active).not.toBe(true);
    expect(await receivedAndStored("bot", () => post({ content: "@**Botty**" }))).toEqual([
      "mentioned",
    ]);
    const listener = await testServer.listen("bot", { event_types: ["message"] });
    const { id } = await post({ content: "no bot here" });
    expect(await listener.takeAll()).toEqual([]);
    expect(await flagsFor("bot", id)).toEqual(["read", "historical"]);
  });

  test("no reader without a subscription", async () => {
    const { user_id } = await testServer.realm.write((tx) => {
      const user = createUser(tx, { email: "di@example.com", full_name: "Di", role: 400 });
      tx.subscriptions.delete(user.user_id, many);
      return user;
    });
    const { id } = await post({ content: "@**Di** @**all**" });
    expect(testServer.realm.read.flags.has([user_id, 4], id)).toBe(false);
  });
});

describe("topic policies", () => {
  test("a mentioned user follows the topic, unless it is muted", async () => {
    const listener = await testServer.listen("cy", { event_types: ["user_topic", "message"] });
    await post({ topic: "fresh", content: "@**Cy Member**" });
    await post({ topic: "fresh", content: "@**Cy Member**" });
    const events = await listener.takeAll();
    expect(events.map((event: Params) => event["type"])).toEqual([
      "user_topic",
      "message",
      "message",
    ]);
    expect(events[0]).toMatchObject({ topic_name: "fresh", visibility_policy: 3 });
    const row = { user_id: testServer.idOf("cy"), stream_id: many, last_updated: 1 };
    const muted = { ...row, folded: "mute", topic_name: "mute", visibility_policy: 1 };
    await testServer.realm.write((tx) => tx.user_topics.put(muted));
    await post({ topic: "mute", content: "@**Cy Member**" });
    expect(await listener.takeAll()).toMatchObject([{ type: "message" }]);
  });

  test("a user who starts a topic follows it; a user who joins one does not", async () => {
    expect(await post({ topic: "mine", content: "x" })).toMatchObject({
      automatic_new_visibility_policy: 3,
    });
    const secondId = await post({ topic: "MINE", content: "x" });
    expect(secondId).not.toHaveProperty("automatic_new_visibility_policy");
    const joined = await post({ topic: "mine", content: "x" }, "mo");
    expect(joined).not.toHaveProperty("automatic_new_visibility_policy");
    const byBot = await post({ topic: "bots", content: "x" }, "bot");
    expect(byBot).not.toHaveProperty("automatic_new_visibility_policy");
  });

  test("a user who sends to a muted channel unmutes the topic", async () => {
    await testServer.realm.write((tx) => {
      tx.subscriptions.put({
        ...tx.subscriptions.get(testServer.idOf("mo"), many)!,
        is_muted: true,
      });
    });
    await post({ topic: "loud", content: "x" });
    const response = await post({ topic: "loud", content: "x" }, "mo");
    expect(response).toMatchObject({ automatic_new_visibility_policy: 2 });
  });

  test("personal settings decide", async () => {
    const set = (automatically_follow_topics_policy: number) =>
      testServer.realm.write((tx) => {
        const user = tx.users.get(testServer.idOf("ada"))!;
        tx.users.put({
          ...user,
          settings: { ...user.settings, automatically_follow_topics_policy },
        });
      });
    await set(4);
    expect(await post({ topic: "a1", content: "x" }, "ada")).not.toHaveProperty(
      "automatic_new_visibility_policy",
    );
    await post({ topic: "a2", content: "x" });
    await set(2);
    expect(await post({ topic: "a2", content: "x" }, "ada")).toMatchObject({
      automatic_new_visibility_policy: 3,
    });
  });
});

describe("permission to mention", () => {
  const refusedSend = (params: Params, name: Name = "bo") =>
    testServer.refused(name, "POST /messages", {
      type: "channel",
      to: "general",
      topic: "crowd",
      ...params,
    });

  test("many users only with permission", async () => {
    await post({ topic: "part", content: "x" });
    await testServer.realm.write((tx) => {
      for (let n = 0; n < 12; n++) {
        const person = { email: `n${n}@example.com`, full_name: `Neighbor ${n}`, role: 400 };
        const user = createUser(tx, person);
        tx.topic_participants.add([tx.topics.findBy("name", many, "part")!.topic_id], user.user_id);
      }
    });
    // streamWildcardNotAllowed
    expect(await refusedSend({ content: "@**all**" })).toMatchObject({
      status: 400,
      code: "STREAM_WILDCARD_MENTION_NOT_ALLOWED",
    });
    await post({ content: "@_**all**" });
    await post({ content: "@**all**" }, "ada");
    await testServer.realm.write((tx) => {
      const { topic_id } = tx.topics.findBy("name", many, "part")!;
      for (let user_id = 1; user_id <= 16; user_id++)
        tx.topic_participants.add([topic_id], user_id);
    });
    // topicWildcardNotAllowed
    expect(await refusedSend({ topic: "part", content: "@**topic**" })).toMatchObject({
      status: 400,
      code: "TOPIC_WILDCARD_MENTION_NOT_ALLOWED",
    });
    await post({ topic: "part", content: "@**topic**" }, "ada");
  });

  test("a group only if it allows it", async () => {
    await createGroup(
      "quiet",
      ["cy"],
      testServer.realm.read.groups.findBy("name", "role:administrators")!.id,
    );
    // groupMentionNotAllowed
    expect((await refusedSend({ content: "@*quiet*" })).msg).toBe(
      "You are not allowed to mention user group 'quiet'.",
    );
    await post({ content: "@_*quiet*" });
    await post({ content: "@*quiet*" }, "ada");
    expect((await refusedSend({ content: "@*role:owners*" })).code).toBe("BAD_REQUEST");
  });
});
