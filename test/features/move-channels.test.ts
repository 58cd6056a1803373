// Moving messages to another channel: who keeps, loses or gains access.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import { editMessage } from "../../src/features/messages/patch/edit.ts";
import { sendMessage } from "../../src/features/messages/send/send.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type ChannelFixture, describeEvents, openChannelFixture } from "./channel-fixture.ts";
import { until } from "../wait-until.ts";

const HISTORY = { history_public_to_subscribers: true };

let fixture: ChannelFixture;
beforeEach(async () => {
  fixture = await openChannelFixture();
});
afterEach(() => fixture.testServer.close());
beforeEach(() => fixture.nextTopic());

describe("to another channel", () => {
  test("public: unsubscribed users no longer have them, and guests lose them", async () => {
    const [first, second] = [await fixture.post("cy"), await fixture.post("bo")];
    await fixture.testServer.request("cy", "POST /messages/flags", {
      messages: [second],
      op: "add",
      flag: "read",
    });
    await fixture.testServer.request("gus", "POST /messages/flags", {
      messages: [first],
      op: "add",
      flag: "starred",
    });
    const names: Name[] = ["bo", "cy", "gus", "mo"];
    const { events } = await staysInSync(fixture.testServer, names, () =>
      fixture.move("bo", first, { stream_id: fixture.kitchen, propagate_mode: "change_all" }),
    );
    const payload = events.cy!.find(({ type }) => type === "update_message")!;
    expect(payload).toMatchObject({ stream_id: fixture.garden, new_stream_id: fixture.kitchen });
    expect(payload).not.toHaveProperty("subject");
    // Mo can read the public channel where the messages were, without a subscription.
    expect(events.mo).toEqual([{ ...payload, id: expect.any(Number), flags: ["read"] }]);
    expect(events.gus).toEqual([
      {
        type: "delete_message",
        id: expect.any(Number),
        message_type: "stream",
        stream_id: fixture.garden,
        topic: fixture.topic,
        message_ids: [first, second],
      },
    ]);
    const flags = await Promise.all([
      fixture.getMessage("cy", second),
      fixture.getMessage("mo", second),
      fixture.getMessage("bo", first),
    ]);
    expect(flags.map((message) => message.flags)).toEqual([["read"], ["read", "historical"], []]);
    expect((await fixture.getMessage("cy", first)).edit_history).toEqual([
      {
        user_id: fixture.testServer.idOf("bo"),
        timestamp: expect.any(Number),
        prev_stream: fixture.garden,
        stream: fixture.kitchen,
      },
    ]);
    await staysInSync(fixture.testServer, names, () =>
      fixture.move("bo", first, { stream_id: fixture.garden, propagate_mode: "change_all" }),
    );
    expect((await fixture.getMessage("gus", first)).flags).toEqual(["read", "historical"]);
  });

  test("keeps stars of users who can still read them", async () => {
    const id = await fixture.post("cy", fixture.garden, "@**Cy Member**");
    await fixture.testServer.request("cy", "POST /messages/flags", {
      messages: [id],
      op: "add",
      flag: "starred",
    });
    const emptyChannel = await fixture.make("bare", ["bo"]);
    await staysInSync(fixture.testServer, ["cy", "bo"], () =>
      fixture.move("bo", id, { stream_id: emptyChannel }),
    );
    expect((await fixture.getMessage("cy", id)).flags).toEqual(["read", "starred", "historical"]);
  });

  test("keeps stars as if the message had been sent there", async () => {
    const id = await fixture.post("bo");
    const nook = await fixture.make("nook", ["bo", "cy"], { invite_only: true });
    const star = { messages: [id], op: "add", flag: "starred" };
    await fixture.testServer.request("cy", "POST /messages/flags", star);
    await staysInSync(fixture.testServer, ["cy"], () =>
      fixture.move("bo", id, { stream_id: nook }),
    );
    expect((await fixture.getMessage("cy", id)).flags).toEqual(["starred"]);
  });

  test("a star gives no access to messages that were never received", async () => {
    const user = { can_subscribe_group: fixture.groupSetting("cy") };
    const vault = await fixture.make("safe", ["bo"], { invite_only: true, ...user });
    const [firstId, movedId] = [await fixture.post("bo"), await fixture.post("bo")];
    const gus = { subscriptions: JSON.stringify([{ name: "garden" }]) };
    await fixture.testServer.request("cy", "DELETE /users/me/subscriptions", {
      subscriptions: ["garden"],
    });
    const late = await fixture.post("bo");
    await fixture.testServer.request("cy", `POST /messages/${late}/reactions`, {
      emoji_name: "tada",
    });
    await fixture.testServer.request("cy", "POST /users/me/subscriptions", gus);
    const star = { messages: [firstId, movedId, late], op: "add", flag: "starred" };
    await fixture.testServer.request("cy", "POST /messages/flags", star);
    await staysInSync(fixture.testServer, ["cy"], () =>
      fixture.move("bo", firstId, { stream_id: vault, propagate_mode: "change_all" }),
    );
    expect((await fixture.getMessage("cy", late)).flags).toContain("starred");
    for (const id of [firstId, movedId]) {
      expect(await fixture.testServer.refused("cy", `GET /messages/${id}`)).toMatchObject({
        status: 400,
      });
    }
    await fixture.move("bo", firstId, { stream_id: fixture.garden, propagate_mode: "change_all" });
    for (const id of [firstId, movedId])
      expect((await fixture.getMessage("cy", id)).flags).not.toContain("starred");
  });

  test("a star of a mentioned user without a subscription follows the read access", async () => {
    const id = await fixture.post("bo", fixture.garden, "@**Mo Moderator** look");
    const star = { messages: [id], op: "add", flag: "starred" };
    await fixture.testServer.request("mo", "POST /messages/flags", star);
    const nook = await fixture.make("nook", ["bo"], { invite_only: true });
    await staysInSync(fixture.testServer, ["mo"], () =>
      fixture.move("bo", id, { stream_id: nook }),
    );
    await fixture.move("bo", id, { stream_id: fixture.garden });
    await fixture.testServer.request("mo", `POST /messages/${id}/reactions`, {
      emoji_name: "tada",
    });
    expect((await fixture.getMessage("mo", id)).flags).toEqual(["read", "historical"]);
  });

  test("a star from reading alone is lost with access", async () => {
    const user = { can_subscribe_group: fixture.groupSetting("cy") };
    const lobby = await fixture.make("lobby", ["bo"], { invite_only: true, ...HISTORY, ...user });
    const id = await fixture.post("bo", lobby);
    const star = { messages: [id], op: "add", flag: "starred" };
    await fixture.testServer.request("cy", "POST /messages/flags", star);
    await fixture.move("bo", id, { stream_id: fixture.shed });
    await fixture.move("bo", id, { stream_id: lobby });
    expect((await fixture.getMessage("cy", id)).flags).toEqual(["read", "historical"]);
  });

  test("out of a private one: new readers do not learn its name", async () => {
    const nook = await fixture.make("nook", ["bo", "cy"], { invite_only: true });
    const id = await fixture.post("bo", nook);
    const { events } = await staysInSync(fixture.testServer, ["bo", "cy", "mo", "gus"], () =>
      fixture.move("bo", id, { stream_id: fixture.kitchen }),
    );
    const read = (name: Name) => events[name]!.filter(({ type }) => type === "update_message");
    expect(read("cy")).toMatchObject([{ stream_name: "nook" }]);
    const moveParams = {
      type: "update_message",
      message_ids: [id],
      new_stream_id: fixture.kitchen,
    };
    expect(read("mo")).toMatchObject([moveParams]);
    expect(JSON.stringify(events.mo)).not.toContain("nook");
    expect(events.gus).toEqual([]);
  });

  test("private: users who are not subscribed lose them", async () => {
    const id = await fixture.post("cy");
    const { events } = await staysInSync(fixture.testServer, ["bo", "cy", "gus", "mo"], () =>
      fixture.move("bo", id, { stream_id: fixture.shed, topic: "inside" }),
    );
    expect(describeEvents(events.cy)).toEqual(["delete_message", "muted_topics", "user_topic"]);
    expect(describeEvents(events.gus)).toEqual(["delete_message"]);
    expect(describeEvents(events.bo)).toEqual(["update_message"]);
    expect(events.bo![0]).toMatchObject({ subject: "inside", new_stream_id: fixture.shed });
    expect(describeEvents(events.mo)).toEqual(["update_message"]);
    expect((await fixture.getMessage("mo", id)).flags).toEqual(["read", "historical"]);
    const refusal = { code: "BAD_REQUEST", msg: messageErrors.messageNotFound().message };
    expect(await fixture.testServer.refused("cy", `GET /messages/${id}`)).toMatchObject(refusal);
  });

  test("with protected history: its subscribers get them as read", async () => {
    const id = await fixture.post("cy");
    await staysInSync(fixture.testServer, ["bo", "cy", "mo"], () =>
      fixture.move("bo", id, { stream_id: fixture.vault }),
    );
    expect((await fixture.getMessage("mo", id)).flags).toEqual(["read", "historical"]);
    expect((await fixture.getMessage("bo", id)).flags).toEqual([]);
    const subs = [{ name: "vault" }];
    await fixture.testServer.request("bo", "POST /users/me/subscriptions", {
      subscriptions: subs,
      principals: [fixture.testServer.idOf("ada")],
    });
    expect(await fixture.testServer.refused("ada", `GET /messages/${id}`)).toMatchObject({
      msg: messageErrors.messageNotFound().message,
    });
  });

  test("moves only readable messages of a protected history", async () => {
    const hiddenId = await fixture.post("bo", fixture.vault);
    await fixture.testServer.request("bo", "POST /users/me/subscriptions", {
      subscriptions: [{ name: "vault" }],
      principals: [fixture.testServer.idOf("olga")],
    });
    const seen = await fixture.post("bo", fixture.vault);
    await fixture.setRealm({
      can_move_messages_between_channels_group: fixture.groupSetting("olga", "bo", "cy"),
    });
    const params = {
      stream_id: fixture.garden,
      propagate_mode: "change_all",
      send_notification_to_old_thread: true,
    };
    const { events } = await staysInSync(fixture.testServer, ["bo", "olga"], () =>
      fixture.move("olga", seen, params),
    );
    expect(events.olga![0]).toMatchObject({ message_ids: [seen] });
    expect((await fixture.getMessage("bo", hiddenId)).stream_id).toBe(fixture.vault);
  });

  test("requires permission in both channels", async () => {
    const id = await fixture.post("cy");
    await fixture.expectRefused(channelErrors.channelNotFound(), "cy", id, {
      stream_id: fixture.shed,
    });
    await fixture.setRealm({ can_move_messages_between_channels_group: fixture.groupSetting() });
    await fixture.expectRefused(messageErrors.moveNotAllowed(), "cy", id, {
      stream_id: fixture.kitchen,
    });
    const own = await fixture.make("own", ["bo", "cy"]);
    await fixture.setChannel(fixture.garden, {
      can_move_messages_out_of_channel_group: fixture.groupSetting("cy"),
    });
    await fixture.setChannel(own, { can_send_message_group: fixture.groupSetting("mo") });
    await fixture.expectRefused(messageErrors.postingNotAllowed(), "cy", id, { stream_id: own });
    fixture.testServer.clock.passSeconds(8 * 86_400);
    await fixture.expectRefused(messageErrors.channelEditTooLate(), "cy", id, {
      stream_id: fixture.kitchen,
    });
    await fixture.testServer.request("olga", `DELETE /streams/${own}`);
    await fixture.expectRefused(messageErrors.sendingNotAuthorized("own"), "cy", id, {
      stream_id: own,
    });
  });
});

describe("a move of very many messages", () => {
  const MESSAGES = 650;
  async function postMany(): Promise<number[]> {
    const bo = fixture.testServer.realm.read.users.get(fixture.testServer.idOf("bo"))!;
    return fixture.testServer.realm.write((tx) =>
      Array.from(
        { length: MESSAGES },
        () => sendMessage(tx, bo, { stream_id: fixture.garden, topic: fixture.topic }, "words").id,
      ),
    );
  }

  test("runs in batches, with events of each", async () => {
    const ids = await postMany();
    const { events } = await staysInSync(fixture.testServer, ["cy", "mo"], () =>
      fixture.move("ada", ids[5]!, { stream_id: fixture.kitchen, propagate_mode: "change_all" }),
    );
    const received: number[][] = events.cy!.map((event) => event["message_ids"]);
    expect(received.map((list) => list.length)).toEqual(Array(MESSAGES / 50).fill(50));
    expect(received.flat()).toEqual(ids);
    const [first] = await fixture.topicsIn("cy", fixture.kitchen);
    expect(first).toEqual({ name: fixture.topic, max_id: ids.at(-1) });
    expect(fixture.testServer.realm.read.due.count()).toBe(0);
  });

  test("continues after a restart, exactly once", async () => {
    const ids = await postMany();
    const ada = fixture.testServer.realm.read.users.get(fixture.testServer.idOf("ada"))!;
    const move_id = await fixture.testServer.realm.write((tx) =>
      editMessage(tx, ada, ids[0]!, {
        stream_id: fixture.kitchen,
        propagate_mode: "change_all",
        notify_old: true,
        notify_new: false,
      }),
    );
    expect(fixture.testServer.realm.read.unfinished_moves.get(move_id!)).toMatchObject({
      moved: 50,
    });
    const laterId = await fixture.post("bo");
    const cy = await fixture.testServer.listen("cy");
    fixture.testServer.clock.passSeconds(11);
    await fixture.testServer.restart();
    await until(() => fixture.testServer.realm.read.unfinished_moves.count() <= 0);
    const events = (await cy.takeAll()).filter((event) => event.type !== "restart");
    const steps = Array(MESSAGES / 50 - 1).fill("update_message");
    expect(describeEvents(events)).toEqual([...steps, "message"]);
    expect(events.at(-1).message.content).toContain("This topic was moved to");
    expect((await fixture.getMessage("cy", ids.at(-1)!)).stream_id).toBe(fixture.kitchen);
    expect((await fixture.getMessage("cy", laterId)).stream_id).toBe(fixture.garden);
  });
});
