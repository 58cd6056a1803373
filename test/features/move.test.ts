// Moving messages to another topic: permission, events, and what moves with them.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import type { Json } from "../test-server.ts";
import { type ChannelFixture, describeEvents, openChannelFixture } from "./channel-fixture.ts";

let fixture: ChannelFixture;
beforeEach(async () => {
  fixture = await openChannelFixture();
});
afterEach(() => fixture.testServer.close());
beforeEach(() => fixture.nextTopic());

describe("to another topic", () => {
  test("renames a whole topic", async () => {
    const ids = [await fixture.post("bo"), await fixture.post("cy"), await fixture.post("bo")];
    const before = fixture.topic;
    const { events } = await staysInSync(fixture.testServer, ["bo", "cy", "gus", "mo"], () =>
      fixture.move("cy", ids[1]!, { topic: "renamed", propagate_mode: "change_all" }),
    );
    expect(events.gus).toEqual([
      {
        type: "update_message",
        id: expect.any(Number),
        user_id: fixture.testServer.idOf("cy"),
        edit_timestamp: expect.any(Number),
        message_id: ids[1],
        message_ids: ids,
        rendering_only: false,
        stream_name: "garden",
        stream_id: fixture.garden,
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
      user_id: fixture.testServer.idOf("cy"),
      timestamp,
      prev_topic: before,
      topic: "renamed",
    };
    for (const id of ids) {
      const message = await fixture.getMessage("gus", id);
      expect(message).toMatchObject({ subject: "renamed", edit_history: [entry] });
      expect(message.last_moved_timestamp).toBe(timestamp);
    }
    expect(
      (await fixture.getMessage("gus", await fixture.post("bo", fixture.garden, "new", "renamed")))
        .edit_history,
    ).toBe(undefined);
  });

  test("moves messages from one on into an existing topic, in any letter case", async () => {
    const target = await fixture.post("bo", fixture.garden, "there", `${fixture.topic} target`);
    const [first, second, third] = [
      await fixture.post("bo"),
      await fixture.post("bo"),
      await fixture.post("bo"),
    ];
    const params = { topic: `${fixture.topic} TARGET`, propagate_mode: "change_later" };
    const { events } = await staysInSync(fixture.testServer, ["cy"], () =>
      fixture.move("bo", second, params),
    );
    expect((events.cy![0] as Json).message_ids).toEqual([second, third]);
    expect((await fixture.topicsIn("cy", fixture.garden)).slice(0, 2)).toEqual([
      { name: `${fixture.topic} TARGET`, max_id: third },
      { name: fixture.topic, max_id: first },
    ]);
    expect((await fixture.getMessage("cy", target)).subject).toBe(`${fixture.topic} target`);
    expect((await fixture.getMessage("cy", second)).subject).toBe(`${fixture.topic} TARGET`);
  });

  test("edits content at the same time, in one event and one history entry", async () => {
    const [first, second] = [await fixture.post("bo"), await fixture.post("bo")];
    const before = fixture.topic;
    const { events } = await staysInSync(fixture.testServer, ["cy"], () =>
      fixture.move("bo", first, { topic: "both", content: "new", propagate_mode: "change_all" }),
    );
    expect(events.cy).toHaveLength(1);
    expect(events.cy![0]).toMatchObject({ content: "new", subject: "both", orig_subject: before });
    const [entry] = (await fixture.getMessage("cy", first)).edit_history;
    expect(entry).toMatchObject({ prev_content: "words", prev_topic: before, topic: "both" });
    expect((await fixture.getMessage("cy", first)).edit_history).toHaveLength(1);
    expect((await fixture.getMessage("cy", second)).edit_history[0]).not.toHaveProperty(
      "prev_content",
    );
    await fixture.move("bo", first, { topic: "one of them", content: "newer" });
    expect((await fixture.getMessage("cy", first)).edit_history).toHaveLength(2);
    expect((await fixture.getMessage("cy", second)).edit_history).toHaveLength(1);
  });

  test("sends the empty topic's name to clients that need one", async () => {
    const id = await fixture.post("bo");
    const { events } = await staysInSync(fixture.testServer, ["cy"], () =>
      fixture.move("bo", id, { topic: "general chat" }),
    );
    expect(events.cy![0]).toMatchObject({ subject: "" });
    await fixture.expectRefused(messageErrors.emptyTopicNotResolvable(), "bo", id, {
      topic: "✔ general chat",
    });
    await fixture.expectRefused(messageErrors.emptyTopicNotResolvable(), "bo", id, { topic: "✔ " });
  });

  test("posts notices in the old and the new topic", async () => {
    const [first, before] = [await fixture.post("bo"), fixture.topic];
    await fixture.post("bo");
    const params = {
      topic: `${fixture.topic} on`,
      send_notification_to_old_thread: true,
      send_notification_to_new_thread: true,
    };
    const move = await staysInSync(fixture.testServer, ["cy", "bo"], () =>
      fixture.move("bo", first, params),
    );
    expect(describeEvents(move.events.cy)).toEqual(["update_message", "message", "message"]);
    const [, old, now] = move.events.cy as Json[];
    expect(old.message).toMatchObject({ subject: before, type: "stream" });
    expect(old.message.content).toContain("A message was moved from this topic to");
    expect(now.message.subject).toBe(`${before} on`);
    expect(now.message.content).toContain(`/near/${first}">A message</a> was moved here from`);
    expect([old.flags, now.flags]).toEqual([[], []]);
    const own = move.events.bo!.filter(({ type }) => type === "message");
    expect(own.map((event) => event["flags"])).toEqual([["read"], ["read"]]);
    const all = await staysInSync(fixture.testServer, ["cy"], () =>
      fixture.move("bo", first, {
        ...params,
        topic: `${before} off`,
        propagate_mode: "change_all",
      }),
    );
    const words = all.events.cy!.slice(1).map((event) => event["message"].content);
    expect(words[0]).toContain("This topic was moved to");
    expect(words[1]).toContain("This topic was moved here from");
  });

  test("moves topic policies with the whole topic, and the stronger one wins", async () => {
    const id = await fixture.post("mo", fixture.kitchen);
    await fixture.post("mo", fixture.kitchen, "there", `${fixture.topic} b`);
    const setPolicy = (name: Name, expected: string, visibility_policy: number) =>
      fixture.testServer.request(name, "POST /user_topics", {
        stream_id: fixture.kitchen,
        topic: expected,
        visibility_policy,
      });
    await setPolicy("bo", fixture.topic, 1);
    await setPolicy("cy", fixture.topic, 3);
    await setPolicy("cy", `${fixture.topic} b`, 1);
    const { events } = await staysInSync(fixture.testServer, ["bo", "cy"], () =>
      fixture.move("mo", id, { topic: `${fixture.topic} b`, propagate_mode: "change_all" }),
    );
    expect(describeEvents(events.cy)).toEqual([
      "muted_topics",
      "user_topic",
      "muted_topics",
      "user_topic",
      "update_message",
    ]);
    const policyOf = (name: Name, expected: string) =>
      fixture.testServer.realm.read.user_topics.get(
        fixture.testServer.idOf(name),
        fixture.kitchen,
        expected,
      )?.visibility_policy;
    expect(policyOf("cy", fixture.topic)).toBe(undefined);
    expect(policyOf("cy", `${fixture.topic} b`)).toBe(3);
    expect(policyOf("bo", `${fixture.topic} b`)).toBe(undefined);
    await fixture.move("mo", id, { topic: `${fixture.topic} c`, propagate_mode: "change_all" });
    expect(policyOf("cy", `${fixture.topic} c`)).toBe(3);
  });

  test("treats the sender of the first moved message as the topic's starter", async () => {
    const [, second] = [await fixture.post("bo"), await fixture.post("cy")];
    const { events } = await staysInSync(fixture.testServer, ["cy"], () =>
      fixture.move("bo", second, { topic: `${fixture.topic} own` }),
    );
    expect(events.cy![1]).toMatchObject({
      topic_name: `${fixture.topic} own`,
      visibility_policy: 3,
    });
  });

  test("requires permission, a recent message, and a topic that the user may create", async () => {
    const id = await fixture.post("cy");
    await fixture.setRealm({ can_move_messages_between_topics_group: fixture.groupSetting() });
    await fixture.expectRefused(messageErrors.editNotAllowed(), "cy", id, { topic: "x" });
    await fixture.setChannel(fixture.garden, {
      can_move_messages_within_channel_group: fixture.groupSetting("cy"),
    });
    const { can_create_topic_group } = fixture.testServer.realm.read.channels.get(fixture.garden)!;
    await fixture.setChannel(fixture.garden, {
      can_create_topic_group: fixture.groupSetting("mo"),
    });
    await fixture.expectRefused(messageErrors.topicCreationNotAllowed(), "cy", id, { topic: "x" });
    await fixture.setChannel(fixture.garden, { can_create_topic_group });
    await fixture.expectRefused(messageErrors.topicUnprintable(2), "cy", id, { topic: "a\u0007b" });
    await fixture.setChannel(fixture.garden, { topics_policy: "disable_empty_topic" });
    const refusal = messageErrors.emptyTopicNotAllowed("general chat");
    await fixture.expectRefused(refusal, "cy", id, { topic: "" });
    await fixture.setChannel(fixture.garden, { topics_policy: "inherit" });
    fixture.testServer.clock.passSeconds(8 * 86_400);
    await fixture.expectRefused(messageErrors.topicEditTooLate(), "cy", id, { topic: "x" });
    const recent = await fixture.post("gus");
    const params = { topic: "x", propagate_mode: "change_all" };
    await fixture.expectRefused(
      messageErrors.moveLimitExceeded(recent, 1, 2),
      "cy",
      recent,
      params,
    );
    await fixture.move("ada", recent, params);
    await fixture.setRealm({
      can_move_messages_between_topics_group: fixture.groupSetting("bo", "cy", "mo", "gus"),
    });
  });
});
