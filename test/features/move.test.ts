// Moving messages to another topic: permission, events, and what moves with them.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import type { Json } from "../test-server.ts";
import { type ChannelFixture, kinds, openChannelFixture } from "./channel-fixture.ts";

let here: ChannelFixture;
beforeEach(async () => {
  here = await openChannelFixture();
});
afterEach(() => here.testServer.close());
beforeEach(() => here.nextTopic());

describe("to another topic", () => {
  test("renames a whole topic", async () => {
    const ids = [await here.say("bo"), await here.say("cy"), await here.say("bo")];
    const before = here.topic;
    const { events } = await staysInSync(here.testServer, ["bo", "cy", "gus", "mo"], () =>
      here.move("cy", ids[1]!, { topic: "renamed", propagate_mode: "change_all" }),
    );
    expect(events.gus).toEqual([
      {
        type: "update_message",
        id: expect.any(Number),
        user_id: here.testServer.idOf("cy"),
        edit_timestamp: expect.any(Number),
        message_id: ids[1],
        message_ids: ids,
        rendering_only: false,
        stream_name: "garden",
        stream_id: here.garden,
        propagate_mode: "change_all",
        orig_subject: before,
        subject: "renamed",
        topic_links: [],
        flags: [],
      },
    ]);
    expect(events.mo).toEqual([]);
    const { edit_timestamp: timestamp } = events.gus![0] as Json;
    const entry = {
      user_id: here.testServer.idOf("cy"),
      timestamp,
      prev_topic: before,
      topic: "renamed",
    };
    for (const id of ids) {
      const message = await here.shown("gus", id);
      expect(message).toMatchObject({ subject: "renamed", edit_history: [entry] });
      expect(message.last_moved_timestamp).toBe(timestamp);
    }
    expect(
      (await here.shown("gus", await here.say("bo", here.garden, "new", "renamed"))).edit_history,
    ).toBe(undefined);
  });

  test("moves messages from one on into an existing topic, in any letter case", async () => {
    const target = await here.say("bo", here.garden, "there", `${here.topic} target`);
    const [first, second, third] = [
      await here.say("bo"),
      await here.say("bo"),
      await here.say("bo"),
    ];
    const params = { topic: `${here.topic} TARGET`, propagate_mode: "change_later" };
    const { events } = await staysInSync(here.testServer, ["cy"], () =>
      here.move("bo", second, params),
    );
    expect((events.cy![0] as Json).message_ids).toEqual([second, third]);
    expect((await here.topicsIn("cy", here.garden)).slice(0, 2)).toEqual([
      { name: `${here.topic} TARGET`, max_id: third },
      { name: here.topic, max_id: first },
    ]);
    expect((await here.shown("cy", target)).subject).toBe(`${here.topic} target`);
    expect((await here.shown("cy", second)).subject).toBe(`${here.topic} TARGET`);
  });

  test("edits content at the same time, in one event and one history entry", async () => {
    const [first, second] = [await here.say("bo"), await here.say("bo")];
    const before = here.topic;
    const { events } = await staysInSync(here.testServer, ["cy"], () =>
      here.move("bo", first, { topic: "both", content: "new", propagate_mode: "change_all" }),
    );
    expect(events.cy).toHaveLength(1);
    expect(events.cy![0]).toMatchObject({ content: "new", subject: "both", orig_subject: before });
    const [entry] = (await here.shown("cy", first)).edit_history;
    expect(entry).toMatchObject({ prev_content: "words", prev_topic: before, topic: "both" });
    expect((await here.shown("cy", first)).edit_history).toHaveLength(1);
    expect((await here.shown("cy", second)).edit_history[0]).not.toHaveProperty("prev_content");
    await here.move("bo", first, { topic: "one of them", content: "newer" });
    expect((await here.shown("cy", first)).edit_history).toHaveLength(2);
    expect((await here.shown("cy", second)).edit_history).toHaveLength(1);
  });

  test("sends the empty topic's name to clients that need one", async () => {
    const id = await here.say("bo");
    const { events } = await staysInSync(here.testServer, ["cy"], () =>
      here.move("bo", id, { topic: "general chat" }),
    );
    expect(events.cy![0]).toMatchObject({ subject: "" });
    await here.isRefused(messageErrors.emptyTopicNotResolvable(), "bo", id, {
      topic: "✔ general chat",
    });
    await here.isRefused(messageErrors.emptyTopicNotResolvable(), "bo", id, { topic: "✔ " });
  });

  test("posts notices in the old and the new topic", async () => {
    const [first, before] = [await here.say("bo"), here.topic];
    await here.say("bo");
    const params = {
      topic: `${here.topic} on`,
      send_notification_to_old_thread: true,
      send_notification_to_new_thread: true,
    };
    const one = await staysInSync(here.testServer, ["cy", "bo"], () =>
      here.move("bo", first, params),
    );
    expect(kinds(one.events.cy)).toEqual(["update_message", "message", "message"]);
    const [, old, now] = one.events.cy as Json[];
    expect(old.message).toMatchObject({ subject: before, type: "stream" });
    expect(old.message.content).toContain("A message was moved from this topic to");
    expect(now.message.subject).toBe(`${before} on`);
    expect(now.message.content).toContain(`/near/${first}">A message</a> was moved here from`);
    expect([old.flags, now.flags]).toEqual([[], []]);
    const own = one.events.bo!.filter(({ type }) => type === "message");
    expect(own.map((event) => event["flags"])).toEqual([["read"], ["read"]]);
    const all = await staysInSync(here.testServer, ["cy"], () =>
      here.move("bo", first, { ...params, topic: `${before} off`, propagate_mode: "change_all" }),
    );
    const words = all.events.cy!.slice(1).map((event) => event["message"].content);
    expect(words[0]).toContain("This topic was moved to");
    expect(words[1]).toContain("This topic was moved here from");
  });

  test("moves topic policies with the whole topic, and the stronger one wins", async () => {
    const id = await here.say("mo", here.kitchen);
    await here.say("mo", here.kitchen, "there", `${here.topic} b`);
    const want = (name: Name, wanted: string, visibility_policy: number) =>
      here.testServer.request(name, "POST /user_topics", {
        stream_id: here.kitchen,
        topic: wanted,
        visibility_policy,
      });
    await want("bo", here.topic, 1);
    await want("cy", here.topic, 3);
    await want("cy", `${here.topic} b`, 1);
    const { events } = await staysInSync(here.testServer, ["bo", "cy"], () =>
      here.move("mo", id, { topic: `${here.topic} b`, propagate_mode: "change_all" }),
    );
    expect(kinds(events.cy)).toEqual([
      "muted_topics",
      "user_topic",
      "muted_topics",
      "user_topic",
      "update_message",
    ]);
    const policyOf = (name: Name, wanted: string) =>
      here.testServer.realm.read.user_topics.get(here.testServer.idOf(name), here.kitchen, wanted)
        ?.visibility_policy;
    expect(policyOf("cy", here.topic)).toBe(undefined);
    expect(policyOf("cy", `${here.topic} b`)).toBe(3);
    expect(policyOf("bo", `${here.topic} b`)).toBe(undefined);
    await here.move("mo", id, { topic: `${here.topic} c`, propagate_mode: "change_all" });
    expect(policyOf("cy", `${here.topic} c`)).toBe(3);
  });

  test("treats the sender of the first moved message as the topic's starter", async () => {
    const [, second] = [await here.say("bo"), await here.say("cy")];
    const { events } = await staysInSync(here.testServer, ["cy"], () =>
      here.move("bo", second, { topic: `${here.topic} own` }),
    );
    expect(events.cy![1]).toMatchObject({ topic_name: `${here.topic} own`, visibility_policy: 3 });
  });

  test("requires permission, a recent message, and a topic that the user may create", async () => {
    const id = await here.say("cy");
    await here.setRealm({ can_move_messages_between_topics_group: here.people() });
    await here.isRefused(messageErrors.editNotAllowed(), "cy", id, { topic: "x" });
    await here.setChannel(here.garden, {
      can_move_messages_within_channel_group: here.people("cy"),
    });
    const { can_create_topic_group } = here.testServer.realm.read.channels.get(here.garden)!;
    await here.setChannel(here.garden, { can_create_topic_group: here.people("mo") });
    await here.isRefused(messageErrors.topicCreationNotAllowed(), "cy", id, { topic: "x" });
    await here.setChannel(here.garden, { can_create_topic_group });
    await here.isRefused(messageErrors.topicUnprintable(2), "cy", id, { topic: "a\u0007b" });
    await here.setChannel(here.garden, { topics_policy: "disable_empty_topic" });
    const refusal = messageErrors.emptyTopicNotAllowed("general chat");
    await here.isRefused(refusal, "cy", id, { topic: "" });
    await here.setChannel(here.garden, { topics_policy: "inherit" });
    here.testServer.clock.pass(8 * 86_400);
    await here.isRefused(messageErrors.topicEditTooLate(), "cy", id, { topic: "x" });
    const young = await here.say("gus");
    const params = { topic: "x", propagate_mode: "change_all" };
    await here.isRefused(messageErrors.moveLimitExceeded(young, 1, 2), "cy", young, params);
    await here.move("ada", young, params);
    await here.setRealm({
      can_move_messages_between_topics_group: here.people("bo", "cy", "mo", "gus"),
    });
  });
});
