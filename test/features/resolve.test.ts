// Resolving and unresolving a topic, by its name and with a notice that is unread for few.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type ChannelFixture, describeEvents, openChannelFixture } from "./channel-fixture.ts";

let fixture: ChannelFixture;
beforeEach(async () => {
  fixture = await openChannelFixture();
});
afterEach(() => fixture.testServer.close());
beforeEach(() => fixture.nextTopic());

describe("resolving", () => {
  const toggle = (name: Name, id: number, to: string) =>
    fixture.testServer.request(name, `PATCH /messages/${id}`, {
      topic: to,
      propagate_mode: "change_all",
    });

  test("posts a notice that is unread only for followers of the topic", async () => {
    const id = await fixture.post("bo");
    await fixture.post("cy");
    const options = { stream_id: fixture.garden, topic: fixture.topic, visibility_policy: 3 };
    await fixture.testServer.request("gus", "POST /user_topics", options);
    await fixture.testServer.request("cy", "POST /user_topics", {
      ...options,
      visibility_policy: 0,
    });
    const { events } = await staysInSync(fixture.testServer, ["bo", "cy", "gus"], () =>
      toggle("bo", id, `✔ ${fixture.topic}`),
    );
    const flagsFor = (name: Name) => events[name]!.find(({ type }) => type === "message")!["flags"];
    expect([flagsFor("bo"), flagsFor("cy"), flagsFor("gus")]).toEqual([["read"], ["read"], []]);
    expect(describeEvents(events.cy)).toEqual(["update_message", "message"]);
    expect(events.cy![1]!["message"].content).toContain("has marked this topic as resolved.");
    expect(await fixture.getMessage("cy", id)).not.toHaveProperty("last_moved_timestamp");
    const notice = events.cy![1]!["message"].id;
    const unread = { messages: [notice], op: "remove", flag: "read" };
    await staysInSync(fixture.testServer, ["cy"], () =>
      fixture.testServer.request("cy", "POST /messages/flags", unread),
    );
    expect((await fixture.getMessage("cy", notice)).flags).toEqual([]);
    await staysInSync(fixture.testServer, ["gus", "cy"], () =>
      fixture.testServer.request("gus", "POST /mark_all_as_read"),
    );
    expect((await fixture.getMessage("gus", notice)).flags).toEqual(["read"]);

    const undoing = await staysInSync(fixture.testServer, ["cy", "gus"], () =>
      toggle("bo", id, fixture.topic),
    );
    expect(describeEvents(undoing.events.cy)).toEqual(["update_message", "delete_message"]);
    const secondResult = await staysInSync(fixture.testServer, ["cy"], () =>
      toggle("bo", id, `✔ ${fixture.topic}`),
    );
    expect(describeEvents(secondResult.events.cy)).toEqual(["update_message", "message"]);
    fixture.testServer.clock.passSeconds(61);
    const laterResult = await staysInSync(fixture.testServer, ["cy"], () =>
      toggle("bo", id, fixture.topic),
    );
    expect(describeEvents(laterResult.events.cy)).toEqual(["update_message", "message"]);
  });

  test("truncates a long name, and requires its own permission", async () => {
    fixture.topic = "t".repeat(60);
    const id = await fixture.post("bo");
    await toggle("bo", id, `✔ ${fixture.topic}`);
    expect((await fixture.getMessage("bo", id)).subject).toBe(`✔ ${"t".repeat(55)}...`);
    await fixture.setRealm({ can_resolve_topics_group: fixture.groupSetting("mo") });
    const other = await fixture.post("bo", fixture.garden, "x", "open");
    await fixture.expectRefused(messageErrors.resolvingNotAllowed(), "bo", other, {
      topic: "✔ open",
    });
    await fixture.setChannel(fixture.garden, {
      can_resolve_topics_group: fixture.groupSetting("bo"),
    });
    await fixture.move("bo", other, { topic: "✔ open" });
    await fixture.setRealm({ can_resolve_topics_group: fixture.groupSetting("bo", "cy") });
  });
});
