// Resolving and unresolving a topic, by its name and with a notice that is unread for few.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type ChannelFixture, kinds, openChannelFixture } from "./channel-fixture.ts";

let here: ChannelFixture;
beforeEach(async () => {
  here = await openChannelFixture();
});
afterEach(() => here.testServer.close());
beforeEach(() => here.nextTopic());

describe("resolving", () => {
  const toggle = (name: Name, id: number, to: string) =>
    here.testServer.request(name, `PATCH /messages/${id}`, {
      topic: to,
      propagate_mode: "change_all",
    });

  test("posts a notice that is unread only for followers of the topic", async () => {
    const id = await here.say("bo");
    await here.say("cy");
    const options = { stream_id: here.garden, topic: here.topic, visibility_policy: 3 };
    await here.testServer.request("gus", "POST /user_topics", options);
    await here.testServer.request("cy", "POST /user_topics", { ...options, visibility_policy: 0 });
    const { events } = await staysInSync(here.testServer, ["bo", "cy", "gus"], () =>
      toggle("bo", id, `✔ ${here.topic}`),
    );
    const flagsFor = (name: Name) => events[name]!.find(({ type }) => type === "message")!["flags"];
    expect([flagsFor("bo"), flagsFor("cy"), flagsFor("gus")]).toEqual([["read"], ["read"], []]);
    expect(kinds(events.cy)).toEqual(["update_message", "message"]);
    expect(events.cy![1]!["message"].content).toContain("has marked this topic as resolved.");
    expect(await here.shown("cy", id)).not.toHaveProperty("last_moved_timestamp");
    const notice = events.cy![1]!["message"].id;
    const unread = { messages: [notice], op: "remove", flag: "read" };
    await staysInSync(here.testServer, ["cy"], () =>
      here.testServer.request("cy", "POST /messages/flags", unread),
    );
    expect((await here.shown("cy", notice)).flags).toEqual([]);
    await staysInSync(here.testServer, ["gus", "cy"], () =>
      here.testServer.request("gus", "POST /mark_all_as_read"),
    );
    expect((await here.shown("gus", notice)).flags).toEqual(["read"]);

    const undone = await staysInSync(here.testServer, ["cy", "gus"], () =>
      toggle("bo", id, here.topic),
    );
    expect(kinds(undone.events.cy)).toEqual(["update_message", "delete_message"]);
    const again = await staysInSync(here.testServer, ["cy"], () =>
      toggle("bo", id, `✔ ${here.topic}`),
    );
    expect(kinds(again.events.cy)).toEqual(["update_message", "message"]);
    here.testServer.clock.pass(61);
    const later = await staysInSync(here.testServer, ["cy"], () => toggle("bo", id, here.topic));
    expect(kinds(later.events.cy)).toEqual(["update_message", "message"]);
  });

  test("truncates a long name, and requires its own permission", async () => {
    here.topic = "t".repeat(60);
    const id = await here.say("bo");
    await toggle("bo", id, `✔ ${here.topic}`);
    expect((await here.shown("bo", id)).subject).toBe(`✔ ${"t".repeat(55)}...`);
    await here.setRealm({ can_resolve_topics_group: here.people("mo") });
    const other = await here.say("bo", here.garden, "x", "open");
    await here.isRefused(messageErrors.resolvingNotAllowed(), "bo", other, { topic: "✔ open" });
    await here.setChannel(here.garden, { can_resolve_topics_group: here.people("bo") });
    await here.move("bo", other, { topic: "✔ open" });
    await here.setRealm({ can_resolve_topics_group: here.people("bo", "cy") });
  });
});
