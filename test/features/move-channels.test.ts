// Moving messages to another channel: who keeps, loses or gains access.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import { editMessage } from "../../src/features/messages/patch/edit.ts";
import { sendMessage } from "../../src/features/messages/send/send.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type ChannelFixture, kinds, openChannelFixture } from "./channel-fixture.ts";
import { until } from "../wait-until.ts";

const HISTORY = { history_public_to_subscribers: true };

let here: ChannelFixture;
beforeEach(async () => {
  here = await openChannelFixture();
});
afterEach(() => here.testServer.close());
beforeEach(() => here.nextTopic());

describe("to another channel", () => {
  test("public: unsubscribed users no longer have them, and guests lose them", async () => {
    const [first, second] = [await here.say("cy"), await here.say("bo")];
    await here.testServer.request("cy", "POST /messages/flags", {
      messages: [second],
      op: "add",
      flag: "read",
    });
    await here.testServer.request("gus", "POST /messages/flags", {
      messages: [first],
      op: "add",
      flag: "starred",
    });
    const names: Name[] = ["bo", "cy", "gus", "mo"];
    const { events } = await staysInSync(here.testServer, names, () =>
      here.move("bo", first, { stream_id: here.kitchen, propagate_mode: "change_all" }),
    );
    const payload = events.cy!.find(({ type }) => type === "update_message")!;
    expect(payload).toMatchObject({ stream_id: here.garden, new_stream_id: here.kitchen });
    expect(payload).not.toHaveProperty("subject");
    // Mo can read the public channel where the messages were, without a subscription.
    expect(events.mo).toEqual([{ ...payload, id: expect.any(Number), flags: ["read"] }]);
    expect(events.gus).toEqual([
      {
        type: "delete_message",
        id: expect.any(Number),
        message_type: "stream",
        stream_id: here.garden,
        topic: here.topic,
        message_ids: [first, second],
      },
    ]);
    const flags = await Promise.all([
      here.shown("cy", second),
      here.shown("mo", second),
      here.shown("bo", first),
    ]);
    expect(flags.map((message) => message.flags)).toEqual([["read"], ["read", "historical"], []]);
    expect((await here.shown("cy", first)).edit_history).toEqual([
      {
        user_id: here.testServer.idOf("bo"),
        timestamp: expect.any(Number),
        prev_stream: here.garden,
        stream: here.kitchen,
      },
    ]);
    await staysInSync(here.testServer, names, () =>
      here.move("bo", first, { stream_id: here.garden, propagate_mode: "change_all" }),
    );
    expect((await here.shown("gus", first)).flags).toEqual(["read", "historical"]);
  });

  test("keeps stars of users who can still read them", async () => {
    const id = await here.say("cy", here.garden, "@**Cy Member**");
    await here.testServer.request("cy", "POST /messages/flags", {
      messages: [id],
      op: "add",
      flag: "starred",
    });
    const bare = await here.make("bare", ["bo"]);
    await staysInSync(here.testServer, ["cy", "bo"], () =>
      here.move("bo", id, { stream_id: bare }),
    );
    expect((await here.shown("cy", id)).flags).toEqual(["read", "starred", "historical"]);
  });

  test("keeps stars as if the message had been sent there", async () => {
    const id = await here.say("bo");
    const nook = await here.make("nook", ["bo", "cy"], { invite_only: true });
    const star = { messages: [id], op: "add", flag: "starred" };
    await here.testServer.request("cy", "POST /messages/flags", star);
    await staysInSync(here.testServer, ["cy"], () => here.move("bo", id, { stream_id: nook }));
    expect((await here.shown("cy", id)).flags).toEqual(["starred"]);
  });

  test("a star gives no access to messages that were never received", async () => {
    const user = { can_subscribe_group: here.people("cy") };
    const vault = await here.make("safe", ["bo"], { invite_only: true, ...user });
    const [held, got] = [await here.say("bo"), await here.say("bo")];
    const gus = { subscriptions: JSON.stringify([{ name: "garden" }]) };
    await here.testServer.request("cy", "DELETE /users/me/subscriptions", {
      subscriptions: ["garden"],
    });
    const late = await here.say("bo");
    await here.testServer.request("cy", `POST /messages/${late}/reactions`, { emoji_name: "tada" });
    await here.testServer.request("cy", "POST /users/me/subscriptions", gus);
    const star = { messages: [held, got, late], op: "add", flag: "starred" };
    await here.testServer.request("cy", "POST /messages/flags", star);
    await staysInSync(here.testServer, ["cy"], () =>
      here.move("bo", held, { stream_id: vault, propagate_mode: "change_all" }),
    );
    expect((await here.shown("cy", late)).flags).toContain("starred");
    for (const id of [held, got]) {
      expect(await here.testServer.refused("cy", `GET /messages/${id}`)).toMatchObject({
        status: 400,
      });
    }
    await here.move("bo", held, { stream_id: here.garden, propagate_mode: "change_all" });
    for (const id of [held, got])
      expect((await here.shown("cy", id)).flags).not.toContain("starred");
  });

  test("a star of a mentioned user without a subscription follows the read access", async () => {
    const id = await here.say("bo", here.garden, "@**Mo Moderator** look");
    const star = { messages: [id], op: "add", flag: "starred" };
    await here.testServer.request("mo", "POST /messages/flags", star);
    const nook = await here.make("nook", ["bo"], { invite_only: true });
    await staysInSync(here.testServer, ["mo"], () => here.move("bo", id, { stream_id: nook }));
    await here.move("bo", id, { stream_id: here.garden });
    await here.testServer.request("mo", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
    expect((await here.shown("mo", id)).flags).toEqual(["read", "historical"]);
  });

  test("a star from reading alone is lost with access", async () => {
    const user = { can_subscribe_group: here.people("cy") };
    const lobby = await here.make("lobby", ["bo"], { invite_only: true, ...HISTORY, ...user });
    const id = await here.say("bo", lobby);
    const star = { messages: [id], op: "add", flag: "starred" };
    await here.testServer.request("cy", "POST /messages/flags", star);
    await here.move("bo", id, { stream_id: here.shed });
    await here.move("bo", id, { stream_id: lobby });
    expect((await here.shown("cy", id)).flags).toEqual(["read", "historical"]);
  });

  test("out of a private one: new readers do not learn its name", async () => {
    const nook = await here.make("nook", ["bo", "cy"], { invite_only: true });
    const id = await here.say("bo", nook);
    const { events } = await staysInSync(here.testServer, ["bo", "cy", "mo", "gus"], () =>
      here.move("bo", id, { stream_id: here.kitchen }),
    );
    const read = (name: Name) => events[name]!.filter(({ type }) => type === "update_message");
    expect(read("cy")).toMatchObject([{ stream_name: "nook" }]);
    const moved = { type: "update_message", message_ids: [id], new_stream_id: here.kitchen };
    expect(read("mo")).toMatchObject([moved]);
    expect(JSON.stringify(events.mo)).not.toContain("nook");
    expect(events.gus).toEqual([]);
  });

  test("private: users who are not subscribed lose them", async () => {
    const id = await here.say("cy");
    const { events } = await staysInSync(here.testServer, ["bo", "cy", "gus", "mo"], () =>
      here.move("bo", id, { stream_id: here.shed, topic: "inside" }),
    );
    expect(kinds(events.cy)).toEqual(["delete_message", "muted_topics", "user_topic"]);
    expect(kinds(events.gus)).toEqual(["delete_message"]);
    expect(kinds(events.bo)).toEqual(["update_message"]);
    expect(events.bo![0]).toMatchObject({ subject: "inside", new_stream_id: here.shed });
    expect(kinds(events.mo)).toEqual(["update_message"]);
    expect((await here.shown("mo", id)).flags).toEqual(["read", "historical"]);
    const refusal = { code: "BAD_REQUEST", msg: messageErrors.messageNotFound().message };
    expect(await here.testServer.refused("cy", `GET /messages/${id}`)).toMatchObject(refusal);
  });

  test("with protected history: its subscribers get them as read", async () => {
    const id = await here.say("cy");
    await staysInSync(here.testServer, ["bo", "cy", "mo"], () =>
      here.move("bo", id, { stream_id: here.vault }),
    );
    expect((await here.shown("mo", id)).flags).toEqual(["read", "historical"]);
    expect((await here.shown("bo", id)).flags).toEqual([]);
    const subs = [{ name: "vault" }];
    await here.testServer.request("bo", "POST /users/me/subscriptions", {
      subscriptions: subs,
      principals: [here.testServer.idOf("ada")],
    });
    expect(await here.testServer.refused("ada", `GET /messages/${id}`)).toMatchObject({
      msg: messageErrors.messageNotFound().message,
    });
  });

  test("moves only readable messages of a protected history", async () => {
    const hidden = await here.say("bo", here.vault);
    await here.testServer.request("bo", "POST /users/me/subscriptions", {
      subscriptions: [{ name: "vault" }],
      principals: [here.testServer.idOf("olga")],
    });
    const seen = await here.say("bo", here.vault);
    await here.setRealm({
      can_move_messages_between_channels_group: here.people("olga", "bo", "cy"),
    });
    const params = {
      stream_id: here.garden,
      propagate_mode: "change_all",
      send_notification_to_old_thread: true,
    };
    const { events } = await staysInSync(here.testServer, ["bo", "olga"], () =>
      here.move("olga", seen, params),
    );
    expect(events.olga![0]).toMatchObject({ message_ids: [seen] });
    expect((await here.shown("bo", hidden)).stream_id).toBe(here.vault);
  });

  test("requires permission in both channels", async () => {
    const id = await here.say("cy");
    await here.isRefused(channelErrors.channelNotFound(), "cy", id, { stream_id: here.shed });
    await here.setRealm({ can_move_messages_between_channels_group: here.people() });
    await here.isRefused(messageErrors.moveNotAllowed(), "cy", id, { stream_id: here.kitchen });
    const own = await here.make("own", ["bo", "cy"]);
    await here.setChannel(here.garden, {
      can_move_messages_out_of_channel_group: here.people("cy"),
    });
    await here.setChannel(own, { can_send_message_group: here.people("mo") });
    await here.isRefused(messageErrors.postingNotAllowed(), "cy", id, { stream_id: own });
    here.testServer.clock.pass(8 * 86_400);
    await here.isRefused(messageErrors.channelEditTooLate(), "cy", id, { stream_id: here.kitchen });
    await here.testServer.request("olga", `DELETE /streams/${own}`);
    await here.isRefused(messageErrors.sendingNotAuthorized("own"), "cy", id, { stream_id: own });
  });
});

describe("a move of very many messages", () => {
  const MANY = 650;
  async function sayMany(): Promise<number[]> {
    const bo = here.testServer.realm.read.users.get(here.testServer.idOf("bo"))!;
    return here.testServer.realm.write((tx) =>
      Array.from(
        { length: MANY },
        () => sendMessage(tx, bo, { stream_id: here.garden, topic: here.topic }, "words").id,
      ),
    );
  }

  test("runs in batches, with events of each", async () => {
    const ids = await sayMany();
    const { events } = await staysInSync(here.testServer, ["cy", "mo"], () =>
      here.move("ada", ids[5]!, { stream_id: here.kitchen, propagate_mode: "change_all" }),
    );
    const received: number[][] = events.cy!.map((event) => event["message_ids"]);
    expect(received.map((list) => list.length)).toEqual(Array(MANY / 50).fill(50));
    expect(received.flat()).toEqual(ids);
    const [first] = await here.topicsIn("cy", here.kitchen);
    expect(first).toEqual({ name: here.topic, max_id: ids.at(-1) });
    expect(here.testServer.realm.read.due.count()).toBe(0);
  });

  test("continues after a restart, exactly once", async () => {
    const ids = await sayMany();
    const ada = here.testServer.realm.read.users.get(here.testServer.idOf("ada"))!;
    const move_id = await here.testServer.realm.write((tx) =>
      editMessage(tx, ada, ids[0]!, {
        stream_id: here.kitchen,
        propagate_mode: "change_all",
        notify_old: true,
        notify_new: false,
      }),
    );
    expect(here.testServer.realm.read.unfinished_moves.get(move_id!)).toMatchObject({ moved: 50 });
    const later = await here.say("bo");
    const cy = await here.testServer.listen("cy");
    here.testServer.clock.pass(11);
    await here.testServer.restart();
    await until(() => here.testServer.realm.read.unfinished_moves.count() <= 0);
    const events = (await cy.all()).filter((event) => event.type !== "restart");
    const steps = Array(MANY / 50 - 1).fill("update_message");
    expect(kinds(events)).toEqual([...steps, "message"]);
    expect(events.at(-1).message.content).toContain("This topic was moved to");
    expect((await here.shown("cy", ids.at(-1)!)).stream_id).toBe(here.kitchen);
    expect((await here.shown("cy", later)).stream_id).toBe(here.garden);
  });
});
